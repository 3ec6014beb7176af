import { isRecord, unless } from '../../../0-contracts/src/index.js'
import { flawOfAll, placeFlaw, type Flaw } from './flaw.js'
import { failed, type ReadBlock } from './read-event.js'
import { readStrictObject } from './strict-json.js'

/** A call from a function calling API, outside of any text. */
export interface FunctionCall {
  /** Id of the call in results; default `b1`, `b2`, … */
  id?: string | undefined
  /** Name of a verb, also in function calling form (`fs_writeFile`). */
  name: string
  /** An object, or a string with its JSON. An empty string means no arguments. */
  arguments: unknown
}

const ONE_OBJECT = 'Write one JSON object that has each parameter by its name.'

/**
 * Reads a function call as a block, as strictly as one in a text.
 *
 * @param line where results and errors say that it stands, from 1: of calls without a text around them the number
 */
export function readFunctionCall({ id, name, arguments: args }: FunctionCall, line: number): ReadBlock {
  const blockId = typeof id === 'string' && id !== '' ? id : `b${line}`
  const lines = { startLine: line, endLine: line }
  const text = typeof args === 'string' ? args : jsonOf(args)
  const failedBy = ({ hint = ONE_OBJECT, ...flaw }: Flaw): ReadBlock => {
    const source = text ?? ''
    const error = placeFlaw('INVALID_TOOL_CALL', { ...flaw, hint }, source, { line, offset: 0 })
    return failed({ blockId, ...lines, source }, [error])
  }
  if (typeof name !== 'string' || name === '') {
    return failedBy(flawOfAll('The call names no tool', 'Name one of the tools.'))
  }
  if (text === undefined) return failedBy(flawOfAll('The arguments have no form in JSON'))
  const read = text.trim() === '' ? { ok: true, value: {} } as const : readStrictObject(text)
  if (!read.ok) return failedBy({ ...read.flaw, message: `Arguments: ${read.flaw.message}` })
  if (!isRecord(read.value)) return failedBy(flawOfAll('The arguments must be one JSON object'))
  return { type: 'block', block: { id: blockId, format: 'tool_call', action: name, params: read.value, ...lines } }
}

/** The text of a value, so that both are held to the same rules; `undefined` where it has none. */
function jsonOf(value: unknown): string | undefined {
  // A cycle, a bigint, or nesting too deep for the stack.
  const isUnwritable = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError
  return unless(isUnwritable, () => JSON.stringify(value ?? {}), undefined)
}
