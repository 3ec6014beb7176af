import { HermesError, isNodeError } from '../../contracts/src/index.js'
import type { CommitRequest } from './commit-request.js'

type Kind = CommitRequest['kind']

/** Begins each message of a commit that failed: the user has to know what became of the changes. */
export const UNCOMMITTED = 'The changes are on disk but not committed'

/**
 * @param output of git and its hooks
 * @param saved what the commit was to keep of the state before the run; `undefined`: it was that of the run itself
 */
export function refusedByGit(output: string, kind: Kind, saved: string | undefined): HermesError {
  const lines = output.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  const isIdentity = /tell me who you are|empty ident|user\.email/i.test(output)
  const said = isIdentity ? 'git does not know who you are' : lines.slice(-3).join(' | ').slice(0, 500)
  const what = saved === undefined || isIdentity ? '' : `the commit of ${saved} was refused: `
  return new HermesError('NONZERO_EXIT', `${UNCOMMITTED}: ${what}${said || 'git commit failed'}`, {
    hint: isIdentity
      ? 'Set git config user.name and user.email, or run with --no-git.'
      : `A hook or git refused the commit: mend what it names, then commit, or ${remedyFor(kind)}.`,
  })
}

/** What else can be done about a run whose commit failed. */
export function remedyFor(kind: Kind): string {
  if (kind === 'run') return 'take the run back with hermes undo'
  return kind === 'undo' ? 'repeat the run with hermes redo' : 'take it back with hermes undo'
}

/** Whatever stood in the way, said as `UNCOMMITTED`. */
export function uncommitted(error: unknown, kind: Kind): unknown {
  if (error instanceof HermesError && !error.message.startsWith(UNCOMMITTED)) {
    const { code, message, hint, data } = error
    return new HermesError(code, `${UNCOMMITTED}: ${message}`, {
      ...(hint !== undefined && { hint }), data, cause: error,
    })
  }
  if (!isNodeError(error)) return error
  return new HermesError(error.code, `${UNCOMMITTED}: ${error.message}`, {
    hint: `Mend what it names, then commit, or ${remedyFor(kind)}.`, cause: error,
  })
}
