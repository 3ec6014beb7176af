import {
  type ActionResult, type AnyVerb, caughtLater, HermesError, isNodeError, type ParsedBlock,
} from '../../../0-contracts/src/index.js'
import { plainCopy } from '../../../1-registry/src/index.js'
import { formatNodeError } from '../../../2-files/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'

export type Outcome = Pick<
  ActionResult, 'success' | 'error' | 'code' | 'hint' | 'fix' | 'warned' | 'data' | 'written' | 'broke'
>

/** Longest error and hint, in UTF-16 units; both may quote the model's text. */
const MAX_ERROR = 1000
const MAX_HINT = 4000

/** Hints for errors of the operating system, where the verb has no better one. */
const NODE_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'The user who runs hermes may not do this: use another path, or ask for the permission to be changed.',
  EPERM: 'The user who runs hermes may not do this: use another path, or ask for the permission to be changed.',
  EROFS: 'The file system is read-only: use another path.',
  ENOSPC: 'The disk is full: nothing was changed. Make room, then send the block again.',
  EDQUOT: 'The disk quota is used up: nothing was changed. Make room, then send the block again.',
  EMFILE: 'Too many files are open: send the block again.',
  ENFILE: 'Too many files are open: send the block again.',
  ENAMETOOLONG: 'Use shorter names: most systems take 255 bytes a name.',
  EBUSY: 'Another program uses it: send the block again later.',
}

/** Codes of errors that keep a command from starting: not approved, forbidden by the policy, or no sandbox. */
const REFUSALS = new Set(['APPROVAL_DENIED', 'POLICY_DENIED', 'NOT_INSTALLED'])

/** Whether a verb threw this error instead of starting its command. */
export function isRefusal(error: unknown): boolean {
  return error instanceof HermesError && REFUSALS.has(error.code)
}

/** The hint of these lines, where there are any. */
export function hintOf(lines: readonly (string | undefined)[]): Pick<Outcome, 'hint'> {
  const given = lines.filter((line) => line !== undefined)
  return given.length > 0 ? { hint: given.join('\n') } : {}
}

/** The outcome of a block whose verb threw; `error` may be any value. */
export function failure(error: unknown, block: ParsedBlock, verb?: AnyVerb): Outcome {
  if (error instanceof HermesError) {
    const { code } = error
    const hint = error.hint ?? NODE_HINTS[code]
    const data = plainCopy(error.data)
    const left = data.ok ? undefined
      : `Its data was left out: ${data.place === '' ? 'it' : data.place} ${data.problem}.`
    return {
      success: false, error: error.message, code, ...hintOf([typeof hint === 'string' ? hint : undefined, left]),
      ...(data.ok && data.value !== undefined && { data: data.value }),
    }
  }
  if (isNodeError(error)) {
    const primary = verb?.primary === undefined ? undefined : block.params[verb.primary]
    const path = typeof primary === 'string' ? primary : (error.path ?? '')
    const hint = NODE_HINTS[error.code]
    return {
      success: false, error: formatNodeError(error, path, verb?.name ?? block.action), code: error.code,
      ...(hint !== undefined && { hint }),
    }
  }
  return {
    success: false, code: 'INTERNAL', error: `Internal error in ${block.action}: ${messageOf(error)}`,
    hint: 'This is a defect of hermes or of the verb; other blocks are not affected.',
  }
}

/** The error for a verb whose result does not match its own schema. */
export function unfitResult({ name }: AnyVerb, problem: string): HermesError {
  return new HermesError('INTERNAL', `${name}: its result does not fit its schema: ${problem}`, {
    hint: 'It has run. The defect is in the verb, not in the call: tell the user, and do without its result.',
  })
}

/** What `work` resolves to; the HermesError where it throws one. */
export async function orError<T>(work: () => T | Promise<T>): Promise<T | HermesError> {
  return await caughtLater(HermesError, work, (error) => error)
}

/** The text of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return typeof error === 'string' ? error : `a thrown ${typeof error}`
}

/** Makes the error one line and bounds error and hint: longer ones could look like other lines of a report. */
export function bounded(outcome: Outcome): Outcome {
  const { error, hint } = outcome
  return {
    ...outcome,
    ...(error !== undefined && { error: escapeControls(clip(error, MAX_ERROR).replace(/\s*[\r\n]+\s*/g, ' ')) }),
    ...(hint !== undefined && { hint: clip(hint, MAX_HINT) }),
  }
}
