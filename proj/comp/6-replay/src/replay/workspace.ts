import { constants } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { caughtLater, HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { removeMade, requireInside } from '../../../2-files/src/index.js'
import { gitFailure, runGit, type GitOutput } from '../../../2-git/src/index.js'
import { oddName } from './compare/byte-names.js'
import { forgetWorkTree } from './replay-directory.js'

/** Initial content of a transcript's workspace. */
export type WorkspaceSource =
  | { kind: 'empty' }
  /**
   * A copy of a directory. `within` is set if the transcripts' author named it: it must lie in that directory, and
   * repositories in it are left out, since their hooks and settings would run programs.
   */
  | { kind: 'fixture'; directory: string; within?: string }
  /** A commit, checked out as a work tree of its own. */
  | { kind: 'git'; repository: string; ref: string }

export interface Workspace {
  /** Absolute with links resolved; used by this transcript only. */
  root: string
  /** @returns why it could not be removed, if so; the next process that makes workspaces tries again */
  remove(): Promise<string | undefined>
}

/**
 * Creates a directory for one transcript. Files of a fixture are copied as references where the file system can.
 *
 * @param directory to create it in; default: that for temporary files
 * @throws HermesError where the fixture, repository or commit does not exist, or the disk is full
 */
export async function openWorkspace(
  source: WorkspaceSource, signal: AbortSignal, directory = tmpdir(),
): Promise<Workspace> {
  const base = await realpath(await mkdtemp(join(directory, 'hermes-replay-')))
  const root = join(base, 'work')
  const remove = (): Promise<string | undefined> => caughtLater(isNodeError, async () => {
    await removeMade(base)
    return undefined
  }, ({ code }) => `The workspace ${base} could not be removed (${code})`)
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

async function copyFixture(
  { directory, within }: Extract<WorkspaceSource, { kind: 'fixture' }>, root: string,
): Promise<void> {
  if (!await caughtLater(isNodeError, async () => (await stat(directory)).isDirectory(), () => false)) {
    throw new HermesError('ENOENT', `There is no fixture ${directory}`, {
      hint: 'Give a directory with --fixture; {name} in it stands for the transcript.',
    })
  }
  if (within !== undefined) requireInside(directory, within)
  await cp(directory, root, {
    recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true, verbatimSymlinks: true,
    // Records of other runs are not part of the fixture.
    filter: (path) =>
      basename(path) !== '.hermes' && !(within !== undefined && basename(path).toLowerCase() === '.git'),
  })
}

interface Place extends Workspace {
  base: string
  signal: AbortSignal
}

/** Checks out a commit, without running the repository's hooks. */
async function checkOut(
  { repository, ref }: Extract<WorkspaceSource, { kind: 'git' }>, { root, remove, signal }: Place,
): Promise<Workspace> {
  const added = await whenFree(() => runGit(
    ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', '--quiet', root, ref],
    { verb: 'replay', cwd: repository, signal },
  ), () => removeMade(root))
  if (added.exitCode !== 0) throw gitFailure('replay', added)
  return {
    root,
    async remove() {
      // Without the signal, so that an interrupted replay leaves no work tree behind either.
      const { exitCode } = await whenFree(() => runGit(['worktree', 'remove', '--force', root], {
        verb: 'replay', cwd: repository, signal: new AbortController().signal,
      }))
      // Git fails for paths that are too long.
      if (exitCode !== 0) forgetWorkTree(root)
      return remove()
    },
  }
}

const MOST_TRIES = 20
/** Git's messages when another process is adding or removing a work tree of the same repository. */
const BUSY = /failed to read .*worktrees|worktrees\/\S+.*(?:No such file|File exists)|\.lock|could not (?:create|lock)/i

/** Retries while another process adds or removes a work tree of the repository: git does not wait for it. */
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
