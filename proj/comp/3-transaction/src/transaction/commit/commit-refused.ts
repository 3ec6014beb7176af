import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import type { CommitRequest } from './commit-request.js'

export const UNCOMMITTED = 'The changes are on disk but not committed'
const CONFINED = ' Hooks ran in the sandbox: hermes help sandbox says what they reach there.'

/**
 * @param output of git and its hooks
 * @param saved describes what was there before the run; `isConfined`: hooks ran in the sandbox
 */
export function refused(
  output: string, kind: CommitRequest['kind'],
  { saved, isConfined }: { saved: string | undefined; isConfined: boolean },
): HermesError {
  const lines = output.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  const isIdentity = /tell me who you are|empty ident|user\.email/i.test(output)
  const said = isIdentity ? 'git does not know who you are' : lines.slice(-3).join(' | ').slice(0, 500)
  const what = saved === undefined || isIdentity ? '' : `the commit of ${saved} was refused: `
  return new HermesError('NONZERO_EXIT', `${UNCOMMITTED}: ${what}${said || 'git commit failed'}`, {
    hint: isIdentity
      ? 'Set git config user.name and user.email, or run with --no-git.'
      : 'A hook or git refused the commit: mend what it names, then commit, '
        + `or ${remedyFor(kind)}.${isConfined ? CONFINED : ''}`,
  })
}

/** What else the user can do about a run whose commit failed. */
export function remedyFor(kind: CommitRequest['kind']): string {
  if (kind === 'run') return 'take the run back with hermes undo'
  return kind === 'undo' ? 'repeat the run with hermes redo' : 'take it back with hermes undo'
}

/** Adds to any error that the changes were not committed. */
export function uncommitted(error: unknown, kind: CommitRequest['kind']): unknown {
  if (error instanceof HermesError && !error.message.startsWith(UNCOMMITTED)) {
    const { code, message, hint, data } = error
    return new HermesError(code, `${UNCOMMITTED}: ${message}`, { hint, data, cause: error })
  }
  if (!isNodeError(error)) return error
  return new HermesError(error.code, `${UNCOMMITTED}: ${error.message}`, {
    hint: `Mend what it names, then commit, or ${remedyFor(kind)}.`, cause: error,
  })
}
