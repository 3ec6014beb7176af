import { gitFailure, NO_HOOKS, settings, type GitOutput, type GitRun } from '../../../2-git/src/index.js'
import { confineHooks, type HookConsent, type HookPlace } from '../../../2-sandbox/src/index.js'

/** Runs git in the place of the commit, with its index. */
export type Git = (
  args: readonly string[], input?: string, more?: Pick<GitRun, 'hasOpenHooks'>,
) => Promise<GitOutput>

export interface CommitCall {
  message: string
  /** What to commit; default: the index. */
  flags?: readonly string[]
  /** Standard input, for `flags`. */
  input?: string | undefined
  /** Absent: no hooks are run. */
  hooks?: {
    /** Where they are, and what they may access. */
    place: HookPlace
    /** Whom to ask for approval. Absent: git runs them as usual. */
    consent: HookConsent | undefined
  }
  /** `false`: the commit is not signed, whatever the user's configuration says. */
  signs?: boolean
}

/** Settings for every commit. Git's housekeeping would continue after the run, and leave a lock if killed. */
const QUIET = settings({ 'maintenance.auto': 'false', 'gc.auto': '0', 'i18n.commitEncoding': 'UTF-8' })

/**
 * The only `git commit`: with the user's configuration except housekeeping, and with hooks in the sandbox. Callers
 * prepare the index and report failures.
 *
 * @returns `isConfined`: hooks ran in the sandbox
 * @throws HermesError `APPROVAL_DENIED`, `NOT_INSTALLED` where hooks may not run; what `git` throws
 */
export async function makeCommit(git: Git, call: CommitCall): Promise<{ output: GitOutput; isConfined: boolean }> {
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

/** Amends the last commit from an index; message, author and signing stay the same, and no hooks are run. */
export async function amendCommit(git: Git): Promise<void> {
  const flags = ['--amend', '--quiet', '--no-edit', '--allow-empty', '--allow-empty-message']
  const output = await git([...QUIET, ...NO_HOOKS, 'commit', ...flags])
  if (output.exitCode !== 0) throw gitFailure('git', output)
}

/**
 * The only `git commit-tree`: makes a commit that is on no branch yet, so no hooks are run.
 *
 * @param commit `signs`: sign it if the user signs all commits; `failure`: makes the error where git refuses
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
  const asked = signs ? await git(['config', '--type=bool', '--get', 'commit.gpgSign']) : undefined
  const isSigned = asked?.exitCode === 0 && asked.stdout.toString('utf8').trim() === 'true'
  const named = parents.flatMap((parent) => ['-p', parent])
  const output = await git([...QUIET, 'commit-tree', tree, ...named, ...(isSigned ? ['-S'] : []), '-F', '-'], message)
  if (output.exitCode !== 0) throw failure(output)
  return output.stdout.toString('utf8').trim()
}
