import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_HOUSEKEEPING, useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Baselines } from '../../src/journal/index.js'
import { createSandbox, type HookConsent } from '../../../2-sandbox/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import {
  redo, recover, RunTransaction, summarize, undo, type TransactionOptions, type TransactionOutcome, type UndoOptions,
} from '../../src/transaction/index.js'

/** As after `--sandbox none`: filters of the repository run as git runs them. */
const OPEN: HookConsent = { sandbox: createSandbox({ mode: 'none', root: '/' }), approve: async () => 'granted', network: false }

let runs = 0

/** A root with real files, and in most tests a real repository. */
export class Root {
  readonly directory = realpathSync(tempDir())
  readonly gate = createPathGate({ root: this.directory, forUser: true })

  constructor() {
    useOwnGitIdentity()
  }

  /** A repository whose first commit holds the files. */
  static repository(files: Record<string, string> = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' }): Root {
    const root = new Root()
    root.git('init', '--quiet', '--initial-branch=main')
    root.put(files)
    root.git('add', '--all')
    root.git('commit', '--quiet', '--allow-empty', '-m', 'start')
    return root
  }

  put(files: Record<string, string>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.directory, name)), { recursive: true })
      writeFileSync(join(this.directory, name), content)
    }
  }

  text(name: string): string {
    return readFileSync(join(this.directory, name), 'utf8')
  }

  git(...args: string[]): string {
    return execFileSync('git', [...NO_HOUSEKEEPING, ...args], {
      cwd: this.directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Subjects, newest first. */
  subjects(): string[] {
    return this.git('log', '--format=%s').trim().split('\n')
  }

  /** Names that the newest commit (or another) changed. */
  changedIn(commit = 'HEAD'): string[] {
    return this.git('show', '--format=', '--name-only', '-z', commit).split('\0').filter((name) => name !== '').sort()
  }

  status(): string[] {
    return this.git('status', '--porcelain', '-z').split('\0').filter((line) => line !== '').sort()
  }

  transaction(options: Partial<TransactionOptions> = {}): RunTransaction {
    return new RunTransaction({ ...this.#options(), baselines: new Baselines(), ...options })
  }

  /** A run that writes these files (`null`: removes) and is committed. */
  async run(files: Record<string, string | null>, options: Partial<TransactionOptions> = {}): Promise<TransactionOutcome> {
    const transaction = this.transaction(options)
    await transaction.beforeBlock('write')
    for (const [name, content] of Object.entries(files)) this.change(transaction, name, content)
    return transaction.finish(summarize(Object.keys(files).map((path) => (
      { blockId: 'b1', action: 'file_write', params: { path }, success: true }
    )), 0))
  }

  change({ files }: RunTransaction, name: string, content: string | null): void {
    const path = this.gate.approve(name, content === null ? 'remove' : 'write')
    if (content === null) files.remove(path)
    else {
      files.makeDirectories(this.gate.approve(dirname(name), 'write'))
      files.write(path, content)
    }
  }

  undo(options: Partial<UndoOptions> = {}) {
    return undo({ ...this.#options(), gate: this.gate, force: false, ...options })
  }

  redo(options: Partial<UndoOptions> = {}) {
    return redo({ ...this.#options(), gate: this.gate, force: false, ...options })
  }

  recover(restore: boolean, force = false) {
    return recover({ ...this.#options(), gate: this.gate, restore, force })
  }

  /** Every path with its mode and content, but git's and hermes' own. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {}
    const visit = (below: string): void => {
      for (const name of readdirSync(join(this.directory, below)).sort()) {
        if (below === '' && (name === '.git' || name === '.hermes')) continue
        const path = below === '' ? name : `${below}/${name}`
        const stats = lstatSync(join(this.directory, path))
        if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(join(this.directory, path))}`
        else if (stats.isDirectory()) {
          found[path] = 'directory'
          visit(path)
        } else found[path] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(join(this.directory, path), 'latin1')}`
      }
    }
    visit('')
    return found
  }

  #options() {
    return {
      root: this.directory, runId: `run-${String(++runs).padStart(6, '0')}`, git: true, durable: false, waitMs: 0,
      signal: new AbortController().signal, hooks: OPEN,
    }
  }
}
