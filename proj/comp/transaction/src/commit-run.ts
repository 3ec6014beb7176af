import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError } from '../../contracts/src/index.js'
import { gitFailure, nulFields } from '../../git/src/index.js'
import {
  captureState, isSameState, readSaved, resolveStored, type FileState, type PathStates,
} from '../../journal/src/index.js'
import type { Repository } from './repository.js'

/** A path that a run changed. */
export interface ChangedPath {
  /** Absolute. */
  path: string
  before: FileState
  after: FileState
}

export interface CommitRequest {
  runId: string
  /** After `AI: `. */
  subject: string
  body: readonly string[]
  changed: readonly ChangedPath[]
  /** Absolute; what is in them came along. */
  movedDirectories: readonly { from: string; to: string }[]
  /** Changed by commands, below the top; they were clean before. */
  byCommands: readonly string[]
  /** Where the contents the states refer to are kept. */
  journal: string
  /** Hooks or git's configuration were changed by the run itself: none is run. */
  skipHooks: boolean
}

export interface CommitOutcome {
  /** Full SHA; absent where there was nothing to commit. */
  commit?: string
  /** Full SHA of the commit of what was there before, where that was not committed yet. */
  before?: string
}

interface Entry {
  mode: string
  object: string
}

/**
 * Commits what a run changed and nothing else (contract section 3 'git'), through an index of its own: whatever else
 * is staged or changed stays as it is. What was not committed before the run goes into a commit of its own first.
 *
 * @throws HermesError when git fails or a hook refuses; the files stay
 */
export async function commitRun(repository: Repository, request: CommitRequest): Promise<CommitOutcome> {
  const index = join(repository.gitDirectory, `hermes-index-${request.runId}`)
  try {
    return await new RunCommit(repository, request, index).make()
  } finally {
    rmSync(index, { force: true })
    rmSync(`${index}.lock`, { force: true })
  }
}

/** The directories that were moved, as absolute paths. */
export function movedIn(root: string, { movedDirectories }: PathStates): { from: string; to: string }[] {
  return movedDirectories.map(({ from, to }) => ({ from: resolveStored(root, from), to: resolveStored(root, to) }))
}

/** Names in one command: argument lists are bounded. */
const MOST_ARGUMENTS = 500

/** The user's index takes over what a run has committed; its process died before that. */
export async function refreshIndex(repository: Repository, request: CommitRequest): Promise<void> {
  await new RunCommit(repository, request, '').refreshAll()
}

class RunCommit {
  readonly #repository: Repository
  readonly #request: CommitRequest
  readonly #env: { GIT_INDEX_FILE: string; HERMES_RUN: string }

  constructor(repository: Repository, request: CommitRequest, index: string) {
    this.#repository = repository
    this.#request = request
    this.#env = { GIT_INDEX_FILE: index, HERMES_RUN: request.runId }
  }

  async make(): Promise<CommitOutcome> {
    const candidates = this.#candidates()
    const names = [...new Set([...candidates.keys(), ...this.#request.byCommands, ...await this.#movedAlong('HEAD')])]
    if (names.length === 0) return {}
    const [isBorn, committed, ignored] = await Promise.all([
      this.#readHead(), this.#entries('HEAD', names), this.#ignored(names),
    ])
    if (!isBorn) await this.#repository.run(['read-tree', '--empty'], { env: this.#env })
    const paths = names.filter((name) => committed.has(name) || !ignored.has(name))
    if (paths.length === 0) return {}
    const before = await this.#commitBefore(paths, candidates, committed)
    await this.#stage(paths, candidates)
    if (!await this.#commit(`AI: ${this.#request.subject}`, this.#request.body, false)) {
      return { ...(before !== undefined && { before }) }
    }
    const [commit] = await Promise.all([this.#repository.head(), this.#refreshIndex(paths)])
    return { ...(commit !== undefined && { commit }), ...(before !== undefined && { before }) }
  }

  async refreshAll(): Promise<void> {
    const names = [...this.#candidates().keys(), ...await this.#movedAlong('HEAD'), ...await this.#movedAlong('HEAD^')]
    const ignored = await this.#ignored(names)
    await this.#refreshIndex(names.filter((name) => !ignored.has(name)))
  }

  /** Files and links by the names git has for them; those of nested repositories are theirs to commit. */
  #candidates(): Map<string, ChangedPath> {
    const own = new Map<string, boolean>()
    const isOwn = (directory: string): boolean => {
      if (directory === this.#repository.top) return true
      const known = own.get(directory)
      if (known !== undefined) return known
      const answer = !existsSync(join(directory, '.git')) && isOwn(dirname(directory))
      own.set(directory, answer)
      return answer
    }
    const found = new Map<string, ChangedPath>()
    for (const changed of this.#request.changed) {
      const name = this.#repository.pathOf(changed.path)
      const isFile = [changed.before, changed.after].some(({ kind }) => kind === 'file' || kind === 'link')
      if (name !== undefined && isFile && !isSameState(changed.before, changed.after) && isOwn(dirname(changed.path))) found.set(name, changed)
    }
    return found
  }

  /** What was committed below the old names of moved directories, and what is below their new ones. */
  async #movedAlong(head: string): Promise<string[]> {
    const found: string[] = []
    for (const { from, to } of this.#request.movedDirectories) {
      const [old, next] = [this.#repository.pathOf(from), this.#repository.pathOf(to)]
      if (old !== undefined) {
        const { exitCode, stdout } = await this.#repository.try(['--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', '--full-tree', head, '--', `${old}/`])
        // On an unborn branch nothing is committed.
        if (exitCode === 0) found.push(...nulFields(stdout))
      }
      if (next !== undefined) {
        found.push(...nulFields(await this.#repository.run(['--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', next])))
      }
    }
    return found.filter((name) => !name.endsWith('/'))
  }

  /** @returns false on an unborn branch */
  async #readHead(): Promise<boolean> {
    const output = await this.#repository.try(['read-tree', 'HEAD'], { env: this.#env })
    if (output.exitCode === 0) return true
    if (await this.#repository.head() === undefined) return false
    throw gitFailure('git', output)
  }

  /** None on an unborn branch. */
  async #entries(tree: string, names: readonly string[]): Promise<Map<string, Entry>> {
    const found = new Map<string, Entry>()
    for (let at = 0; at < names.length; at += MOST_ARGUMENTS) {
      const some = names.slice(at, at + MOST_ARGUMENTS)
      const { exitCode, stdout } = await this.#repository.try(['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', tree, '--', ...some])
      if (exitCode !== 0) break
      for (const field of nulFields(stdout)) {
        const [, mode = '', object = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(field) ?? []
        found.set(name, { mode, object })
      }
    }
    return found
  }

  async #ignored(names: readonly string[]): Promise<Set<string>> {
    const { exitCode, stdout } = await this.#repository.try(['check-ignore', '-z', '--stdin'], { input: nulEnded(names) })
    // 1 means that none is.
    return new Set(exitCode === 0 ? nulFields(stdout) : [])
  }

  /** What the paths were before the run, where HEAD has them otherwise. */
  async #commitBefore(
    paths: readonly string[], candidates: ReadonlyMap<string, ChangedPath>, committed: ReadonlyMap<string, Entry>,
  ): Promise<string | undefined> {
    const lines: string[] = []
    for (const name of paths) {
      const changed = candidates.get(name)
      if (!changed) continue
      const line = await this.#beforeLine(name, changed.before, committed.get(name))
      if (line !== undefined) lines.push(line)
    }
    if (lines.length === 0) return undefined
    await this.#repository.run(['update-index', '-z', '--index-info'], { env: this.#env, input: nulEnded(lines) })
    const body = ['What was not committed yet of the files that the next commit changes.']
    return await this.#commit(`AI: before ${this.#request.subject}`, body, true) ? this.#repository.head() : undefined
  }

  /** For `update-index --index-info`; `undefined` where HEAD has just that. */
  async #beforeLine(name: string, before: FileState, entry: Entry | undefined): Promise<string | undefined> {
    if (before.kind !== 'file' && before.kind !== 'link') {
      return entry === undefined ? undefined : `0 ${'0'.repeat(entry.object.length)}\t${name}`
    }
    const content = before.kind === 'file' ? readSaved(this.#request.journal, before) : Buffer.from(before.target, 'base64')
    const mode = before.kind === 'link' ? '120000' : ((before.mode ?? 0) & 0o100) === 0 ? '100644' : '100755'
    if (entry?.mode === mode && entry.object === this.#objectId(content)) return undefined
    // With the attributes of its name: line ends and filters.
    const args = before.kind === 'link' ? ['hash-object', '-w', '--stdin', '--no-filters'] : ['hash-object', '-w', '--stdin', '--path', name]
    const object = (await this.#repository.run(args, { input: content })).toString('utf8').trim()
    return entry?.mode === mode && entry.object === object ? undefined : `${mode} ${object}\t${name}`
  }

  #objectId(content: Uint8Array): string {
    return createHash(this.#repository.objectFormat).update(`blob ${content.length}\0`).update(content).digest('hex')
  }

  /** Into the index of the run: what it left, also where someone else has changed the file since. */
  async #stage(paths: readonly string[], candidates: ReadonlyMap<string, ChangedPath>): Promise<void> {
    const fromDisk: string[] = []
    const fromJournal: string[] = []
    for (const name of paths) {
      const changed = candidates.get(name)
      const isThere = changed === undefined || isSameState(captureState(changed.path), changed.after)
      if (isThere || changed.after.kind !== 'file' || changed.after.at === undefined) fromDisk.push(name)
      else {
        const input = readSaved(this.#request.journal, changed.after)
        const object = (await this.#repository.run(['hash-object', '-w', '--stdin', '--path', name], { input })).toString('utf8').trim()
        const mode = ((changed.after.mode ?? 0) & 0o100) === 0 ? '100644' : '100755'
        fromJournal.push(`${mode} ${object}\t${name}`)
      }
    }
    if (fromDisk.length > 0) {
      await this.#repository.run(['update-index', '-z', '--add', '--remove', '--stdin'], { env: this.#env, input: nulEnded(fromDisk) })
    }
    if (fromJournal.length > 0) {
      await this.#repository.run(['update-index', '-z', '--index-info'], { env: this.#env, input: nulEnded(fromJournal) })
    }
  }

  /**
   * @param isSave of the user's own unfinished work: it was not made for the hooks that judge commits
   * @returns false when there is nothing to commit
   */
  async #commit(subject: string, body: readonly string[], isSave: boolean): Promise<boolean> {
    const message = [subject, '', ...body, '', `Hermes-Run: ${this.#request.runId}`, ''].join('\n')
    const output = await this.#repository.try([
      ...(this.#request.skipHooks ? ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'] : []),
      'commit', '--quiet', '--cleanup=whitespace', '--file=-', ...(isSave ? ['--no-verify'] : []),
    ], { env: this.#env, input: message })
    if (output.exitCode === 0) return true
    const same = await this.#repository.try(['diff-index', '--cached', '--quiet', 'HEAD'], { env: this.#env })
    if (same.exitCode === 0) return false
    throw refused(output.stderr, output.stdout.toString('utf8'))
  }

  /** The user's own index has the same as the new HEAD for these paths. */
  async #refreshIndex(paths: readonly string[]): Promise<void> {
    await this.#repository.run(['update-index', '-z', '--add', '--remove', '--stdin'], {
      env: { HERMES_RUN: this.#request.runId }, input: nulEnded(paths),
    })
  }
}

function refused(stderr: string, stdout: string): HermesError {
  const lines = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  const isIdentity = /tell me who you are|empty ident|user\.email/i.test(stderr)
  const said = isIdentity ? 'git does not know who you are' : lines.slice(-3).join(' | ').slice(0, 500)
  return new HermesError('NONZERO_EXIT', `The changes are on disk but not committed: ${said || 'git commit failed'}`, {
    hint: isIdentity
      ? 'Set git config user.name and user.email, or run with --no-git.'
      : 'A hook or git refused the commit: mend what it names, then commit, or take the run back with hermes undo.',
  })
}

function nulEnded(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join('')
}
