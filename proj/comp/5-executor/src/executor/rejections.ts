import { HermesError } from '../../../0-contracts/src/index.js'
import type { BareEnvelope } from '../../../1-reading/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'

/** Longest name a message quotes, in UTF-16 units. */
const MAX_NAME = 100

/** Error of `VerbExecutor` for a name in use. */
export function alreadyRegistered(name: string): HermesError {
  return new HermesError('ALREADY_REGISTERED', `Verb '${name}' is already registered.`, {
    hint: 'Give the verb another name: names ignore case here.',
  })
}

export function invalidEnvelope(
  { message, hint, line, column }: Omit<Extract<BareEnvelope, { ok: false }>, 'ok'>,
): HermesError {
  const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`
  return new HermesError('INVALID_ENVELOPE', 'Invalid Verb envelope.', { hint: sentences(`${message}${place}`, hint) })
}

export function unknownVerb(name: string, hint: string | undefined): HermesError {
  return new HermesError('UNKNOWN_ACTION', `Unknown Verb '${escapeControls(clip(name, MAX_NAME))}'.`, { hint })
}

export function cannotDeserialize(name: string, code: string, problem: string, hint?: string): HermesError {
  return new HermesError(code, `Failed to deserialize arguments for Verb '${name}'.`, {
    hint: sentences(problem, hint),
  })
}

function sentences(first: string, second: string | undefined): string {
  const ended = /[.!?]$/.test(first) ? first : `${first}.`
  return second === undefined ? ended : `${ended} ${second}`
}
