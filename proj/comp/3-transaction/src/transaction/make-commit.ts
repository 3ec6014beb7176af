import { gitFailure, NO_HOOKS, settings, type GitOutput, type GitRun } from '../../../2-git/src/index.js'
import { confineHooks, type HookConsent, type HookPlace } from '../../../2-sandbox/src/index.js'

/** Runs git where the commit is made, with the index that is committed. */
export type Git = (
  args: readonly string[], input?: string, more?: Pick<GitRun, 'hasOpenHooks'>,
) => Promise<GitOutput>

export interface CommitCall {
  message: string
  /** What is committed; default: the index. */
  flags?: readonly string[]
  /** Standard input, for `flags`. */
  input?: string
  /** Absent: no hook is run. */
  hooks?: {
    /** Where they are, and what they may reach. */
    place: HookPlace
    /** Whom to ask. Absent: they run as git runs them. */
    consent: HookConsent | undefined
  }
  /** `false`: no program signs it, whatever the user has set up. */
  signs?: boolean
}

export interface CommitAttempt {
  output: GitOutput
  /** Hooks ran in the sandbox. */
  isConfined: boolean
}

/** In every commit. Housekeeping would go on behind the run, and leave a lock of its own when it is killed. */
const QUIET = settings({ 'maintenance.auto': 'false', 'gc.auto': '0', 'i18n.commitEncoding': 'UTF-8' })

/**
 * The one `git commit`: as the user has set git up, but for housekeeping, and with hooks in the sandbox. Neither what
 * is in the index nor what is said of a failure is its business.
 *
 * @throws HermesError `APPROVAL_DENIED`, `NOT_INSTALLED` where hooks may not run; what `git` throws
 */
export async function makeCommit(git: Git, call: CommitCall): Promise<CommitAttempt> {
  const { message, flags = [], input, hooks, signs = true } = call
  const confined = hooks?.consent && await confineHooks(hooks.place, hooks.consent)
  const programs = [
    ...(hooks === undefined ? NO_HOOKS : confined?.settings ?? settings({ 'core.hooksPath': hooks.place.hooks })),
    ...(signs ? [] : settings({ 'commit.gpgSign': 'false' })),
  ]
  const told = input === undefined ? '--file=-' : `--message=${message}`
  try {
    const args = [...QUIET, ...programs, 'commit', '--cleanup=whitespace', told, ...flags]
    const hasOpenHooks = hooks !== undefined && confined === undefined
    const output = await git(args, input ?? message, { hasOpenHooks })
    return { output, isConfined: confined !== undefined }
  } finally {
    confined?.release()
  }
}

/** Makes the last commit anew from an index: its message, author and signing are the same, and no hook judges it. */
export async function amendCommit(git: Git): Promise<void> {
  const flags = ['--amend', '--quiet', '--no-edit', '--allow-empty', '--allow-empty-message']
  const output = await git([...QUIET, ...NO_HOOKS, 'commit', ...flags])
  if (output.exitCode !== 0) throw gitFailure('git', output)
}

/**
 * The one `git commit-tree`: a commit that no branch has yet, so that no hook is asked.
 *
 * @param commit `signs`: as the user has commits signed, else not; `failure` where git refuses it
 * @returns its full SHA
 * @throws what `failure` makes
 */
export async function writeCommit(
  git: Git, tree: string, { parents, message, signs = false, failure = (output) => gitFailure('git', output) }: {
    parents: readonly string[]
    message: string
    signs?: boolean
    failure?: (output: GitOutput) => Error
  },
): Promise<string> {
  const isSigned = signs && isTrue(await git(['config', '--type=bool', '--get', 'commit.gpgSign']))
  const named = parents.flatMap((parent) => ['-p', parent])
  const output = await git([...QUIET, 'commit-tree', tree, ...named, ...(isSigned ? ['-S'] : []), '-F', '-'], message)
  if (output.exitCode !== 0) throw failure(output)
  return output.stdout.toString('utf8').trim()
}

function isTrue({ exitCode, stdout }: GitOutput): boolean {
  return exitCode === 0 && stdout.toString('utf8').trim() === 'true'
}
