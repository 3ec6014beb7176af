import { constants } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { requireInside } from '../../../2-files/src/index.js'
import { gitFailure, runGit, type GitOutput } from '../../../2-git/src/index.js'
import { oddName } from './compare/byte-names.js'
import { removeTree } from './remove-workspace.js'
import { forgetWorkTree } from './replay-directory.js'

/** What a transcript starts from. */
export type WorkspaceSource =
  | { kind: 'empty' }
  /**
   * A copy of a directory. `within`: whoever wrote the transcripts named it. It has to lie in that directory, and
   * repositories in it are left out: their hooks and settings would run programs.
   */
  | { kind: 'fixture'; directory: string; within?: string }
  /** A commit, checked out as a work tree of its own. */
  | { kind: 'git'; repository: string; ref: string }

export interface Workspace {
  /** Canonical, and nobody else's. */
  root: string
  /** @returns where it could not be removed, why; the next process that makes workspaces tries again */
  remove(): Promise<string | undefined>
}

/**
 * Makes a fresh directory for one transcript. Files of a fixture are copied by reference where the file system can.
 *
 * @param directory it is made in; default: that for temporary files
 * @throws HermesError where the fixture, the repository or the commit is not there, or the disk is full
 */
export async function openWorkspace(
  source: WorkspaceSource, signal: AbortSignal, directory = tmpdir(),
): Promise<Workspace> {
  const base = await realpath(await mkdtemp(join(directory, 'hermes-replay-')))
  const root = join(base, 'work')
  const remove = (): Promise<string | undefined> => removed(base)
  try {
    if (source.kind === 'git') return await checkOut(source, { base, root, remove, signal })
    if (source.kind === 'empty') await mkdir(root)
    else await copyFixture(source, root)
    return { root, remove }
  } catch (error) {
    await remove()
    if (!isNodeError(error)) throw error
    const odd = source.kind === 'fixture' ? orNothing(() => oddName(source.directory), undefined) : undefined
    if (odd !== undefined) {
      throw new HermesError('NOT_TEXT', `The fixture has a name that is not valid UTF-8: ${odd}`, {
        hint: 'Rename it, or leave it out.', cause: error,
      })
    }
    throw new HermesError(error.code, `The workspace could not be made (${error.code})`, {
      hint: error.code === 'ENOSPC' ? 'The disk is full: make room.'
        : 'Look at the fixture, and at the directory for temporary files.',
      cause: error,
    })
  }
}

async function removed(base: string): Promise<string | undefined> {
  try {
    await removeTree(base)
    return undefined
  } catch (error) {
    if (!isNodeError(error)) throw error
    return `The workspace ${base} could not be removed (${error.code})`
  }
}

async function copyFixture(
  { directory, within }: Extract<WorkspaceSource, { kind: 'fixture' }>, root: string,
): Promise<void> {
  const found = await stat(directory).catch((error: unknown) => {
    if (isNodeError(error)) return undefined
    throw error
  })
  if (!found?.isDirectory()) {
    throw new HermesError('ENOENT', `There is no fixture ${directory}`, {
      hint: 'Give a directory with --fixture; {name} in it stands for the transcript.',
    })
  }
  if (within !== undefined) requireInside(directory, within)
  await cp(directory, root, {
    recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true, verbatimSymlinks: true,
    // What hermes keeps of other runs is no part of the fixture.
    filter: (path) =>
      basename(path) !== '.hermes' && !(within !== undefined && basename(path).toLowerCase() === '.git'),
  })
}

interface Place extends Workspace {
  base: string
  signal: AbortSignal
}

/** Hooks of the repository do not run. */
async function checkOut(
  { repository, ref }: Extract<WorkspaceSource, { kind: 'git' }>, { root, remove, signal }: Place,
): Promise<Workspace> {
  const added = await whenFree(() => runGit(
    ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', '--quiet', root, ref],
    { verb: 'replay', cwd: repository, signal },
  ), () => removeTree(root))
  if (added.exitCode !== 0) throw gitFailure('replay', added)
  return {
    root,
    async remove() {
      // Without the signal: an interrupted replay leaves no work tree behind either.
      const { exitCode } = await whenFree(() => runGit(['worktree', 'remove', '--force', root], {
        verb: 'replay', cwd: repository, signal: new AbortController().signal,
      }))
      // Git gives up at paths that are too long.
      if (exitCode !== 0) forgetWorkTree(root)
      return remove()
    },
  }
}

const MOST_TRIES = 20
/** What git says where another process is half-way through adding or removing a work tree of the same repository. */
const BUSY = /failed to read .*worktrees|worktrees\/\S+.*(?:No such file|File exists)|\.lock|could not (?:create|lock)/i

/** Work trees of one repository are added by several processes, and git does not wait for the others. */
async function whenFree(
  run: () => Promise<GitOutput>, again: () => Promise<void> = async () => undefined,
): Promise<GitOutput> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await run()
    if (outcome.exitCode === 0 || attempt === MOST_TRIES || !BUSY.test(outcome.stderr)) return outcome
    await again()
    await sleep(10 * attempt + Math.random() * 40)
  }
}
