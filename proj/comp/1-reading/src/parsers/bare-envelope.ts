import { isRecord } from '../../../0-contracts/src/index.js'
import { MAX_LENGTH, shapeProblem } from './envelope.js'
import { placeFlaw } from './flaw.js'
import { plain } from './read-event.js'
import { readStrictJson } from './strict-json.js'
import { readStrictYaml, SEVERAL_DOCUMENTS } from './strict-yaml.js'

/** `arguments` is unchecked: the verb's schema judges it. */
export type BareEnvelope =
  | { ok: true; verb: string; arguments: unknown }
  /** `line` and `column` (1-based) where the place is known. */
  | { ok: false; message: string; hint?: string; line?: number; column?: number }

const ONE_ONLY = 'Send one envelope at a time: verb: and arguments: at the top.'

/** Any value; `line` and `column` as in `BareEnvelope`. */
export type BareDocument = { ok: true; value: unknown } | Extract<BareEnvelope, { ok: false }>

/** Reads a text that is a single envelope, as strictly as one in a fence. */
export function readBareEnvelope(text: string): BareEnvelope {
  const read = readBareDocument(text)
  return read.ok ? readBareValue(read.value) : read
}

/**
 * Reads a text that is a single YAML or JSON document. It counts as JSON if it begins with a bracket and holds quotes,
 * else as YAML.
 */
export function readBareDocument(text: string): BareDocument {
  const content = text.replace(/^\ufeff/, '')
  if (content.length > MAX_LENGTH) return { ok: false, message: `Envelope is longer than ${MAX_LENGTH} characters` }
  const fence = /^\s*(?:```|~~~)/.exec(content)
  if (fence) return { ok: false, message: 'The envelope stands in a fence', hint: 'Send only what is inside it.' }
  const read = /^\s*[{[]/.test(content) && /["']/.test(content) ? readStrictJson(content) : readStrictYaml(content)
  if (read.ok) return read
  const flaw = read.flaw.message === SEVERAL_DOCUMENTS ? { ...read.flaw, hint: ONE_ONLY } : read.flaw
  const { message, hint, line, column } = plain(placeFlaw('INVALID_ENVELOPE', flaw, content, { line: 1, offset: 0 }))
  return { ok: false, message, line, column, ...(hint !== undefined && { hint }) }
}

function readBareValue(value: unknown): BareEnvelope {
  if (Array.isArray(value)) return { ok: false, message: 'A list is no envelope', hint: ONE_ONLY }
  // The verb checks the arguments, so only the rest is checked here.
  const problem = shapeProblem(isRecord(value) ? { ...value, arguments: {} } : value)
  if (problem) return { ok: false, ...problem }
  const envelope = value as { verb: string; arguments?: unknown }
  if (envelope.arguments === undefined) {
    const hint = 'Write arguments: {} for a verb that takes none.'
    return { ok: false, message: "Envelope has no 'arguments'", hint }
  }
  return { ok: true, verb: envelope.verb, arguments: envelope.arguments }
}
