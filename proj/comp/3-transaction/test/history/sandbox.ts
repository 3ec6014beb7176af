import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_HOUSEKEEPING, useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createSandbox, type HookConsent } from '../../../2-sandbox/src/index.js'
import { stepBack, stepForward } from '../../src/history/index.js'

/** As after `--sandbox none`: filters of the repository run as git runs them. */
const hooks: HookConsent = { sandbox: createSandbox({ mode: 'none', root: '/' }), approve: async () => 'granted', network: false }

/** A real repository on branch `main`. */
export class Sandbox {
  readonly root = tempDir()
  readonly options = { root: this.root, signal: new AbortController().signal, hooks }

  constructor() {
    useOwnGitIdentity()
    this.git('init', '--quiet', '--initial-branch=main')
  }

  /** One commit for each: files by name, `null` removes one. */
  static of(...commits: Record<string, string | null>[]): Sandbox {
    const sandbox = new Sandbox()
    for (const [at, files] of commits.entries()) sandbox.commit(`commit ${at + 1}`, files)
    return sandbox
  }

  put(files: Record<string, string | null>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.root, name)
      if (content === null) rmSync(file, { recursive: true, force: true })
      else {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, content)
      }
    }
  }

  /** @returns its full SHA */
  commit(message: string, files: Record<string, string | null> = {}, env: Record<string, string> = {}): string {
    this.put(files)
    this.git('add', '--all')
    execFileSync('git', [...NO_HOUSEKEEPING, 'commit', '--quiet', '--allow-empty', '-m', message], {
      cwd: this.root, env: { ...process.env, ...env },
    })
    return this.head()
  }

  git(...args: string[]): string {
    return execFileSync('git', [...NO_HOUSEKEEPING, ...args], {
      cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd()
  }

  head(): string {
    return this.git('rev-parse', 'HEAD')
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8')
  }

  back() {
    return stepBack(this.options)
  }

  forward() {
    return stepForward(this.options)
  }

  stashes(): string[] {
    return this.git('stash', 'list', '--format=%H').split('\n').filter(line => line !== '')
  }

  /** Where HEAD is, what the index holds and announces, and every file: bytes and executable bit. */
  snapshot(): object {
    return {
      head: this.git('rev-parse', '--abbrev-ref', 'HEAD', 'HEAD^{commit}'),
      index: this.git('ls-tree', '-r', '-z', this.git('write-tree')),
      intended: this.git('diff', '--name-only', '--diff-filter=A', '--no-renames', '-z'),
      files: this.files(),
    }
  }

  files(): Record<string, string> {
    const files: Record<string, string> = {}
    const visit = (directory: string): void => {
      for (const name of readdirSync(join(this.root, directory)).sort()) {
        if (directory === '' && (name === '.git' || name === '.hermes')) continue
        const path = join(directory, name)
        const stat = lstatSync(join(this.root, path))
        if (stat.isDirectory()) visit(path)
        else if (stat.isSymbolicLink()) files[path] = `-> ${readlinkSync(join(this.root, path))}`
        else files[path] = `${(stat.mode & 0o111) === 0 ? '' : '+x '}${readFileSync(join(this.root, path), 'base64')}`
      }
    }
    visit('')
    return files
  }
}
