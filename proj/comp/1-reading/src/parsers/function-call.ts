import { isRecord } from '../../../0-contracts/src/index.js'
import { placeFlaw, type Flaw } from './flaw.js'
import { failed, type ReadBlock } from './read-event.js'
import { readStrictObject } from './strict-json.js'

/** A call as the interfaces for function calling hand it over, outside of any text. */
export interface FunctionCall {
  /** Names the call in results; default `b1`, `b2`, … */
  id?: string | undefined
  /** Of a verb, or its name for function calling (`fs_writeFile`). */
  name: string
  /** An object, or JSON text that holds one. Empty text: a call without arguments. */
  arguments: unknown
}

const OBJECT = 'Write one JSON object that has each parameter by its name.'

/**
 * Reads such a call as strictly as one in a text.
 *
 * @param line stands for its place in results and errors; 1-based
 */
export function readFunctionCall({ id, name, arguments: args }: FunctionCall, line: number): ReadBlock {
  const blockId = typeof id === 'string' && id !== '' ? id : `b${line}`
  const lines = { startLine: line, endLine: line }
  const text = typeof args === 'string' ? args : jsonOf(args)
  const fail = (flaw: Flaw): ReadBlock => failed(
    { blockId, ...lines, source: text ?? '' },
    [placeFlaw('INVALID_TOOL_CALL', { ...flaw, hint: flaw.hint ?? OBJECT }, text ?? '', { line, offset: 0, later: 0 })],
  )
  if (typeof name !== 'string' || name === '') return fail(whole('The call names no tool', 'Name one of the tools.'))
  if (text === undefined) return fail(whole('The arguments have no form in JSON'))
  const read = text.trim() === '' ? { ok: true, value: {} } as const : readStrictObject(text)
  if (!read.ok) return fail({ ...read.flaw, message: `Arguments: ${read.flaw.message}` })
  if (!isRecord(read.value)) return fail(whole('The arguments must be one JSON object'))
  return { type: 'block', block: { id: blockId, format: 'tool_call', action: name, params: read.value, ...lines } }
}

/** A value is held to the same rules as its text. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? {})
  } catch (error) {
    // A cycle, a bigint, or too deep for the stack.
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

function whole(message: string, hint = OBJECT): Flaw {
  return { message, index: 0, length: 0, hint }
}

/**
 * What a custom tool of OpenAI got, which is a text, as arguments. The tool of Codex for patches is named as the verb,
 * whose text is `patch`.
 */
export function customArguments(name: string, input: unknown): Record<string, unknown> {
  return { [name === 'apply_patch' ? 'patch' : 'input']: input }
}
