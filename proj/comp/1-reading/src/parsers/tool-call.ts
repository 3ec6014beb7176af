import { isRecord, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN, type ToolCallItem } from '../scanner/index.js'
import { BLOCK_SOURCES } from './block-source.js'
import { flawOfAll, mendedFix, placeFlaw, type Flaw } from './flaw.js'
import { failed, type ReadBlock } from './read-event.js'
import { readStrictJson, readStrictObject } from './strict-json.js'

const SHAPE = 'Write <tool_call>{"name": "…", "arguments": {…}}</tool_call>'

/** Reads `{"name", "arguments", "id"?}`; arguments may also be a string with the JSON of the object. */
export function readToolCall(item: ToolCallItem, nextId: () => string): ReadBlock {
  const fail = (flaw: Flaw, blockId = nextId()): ReadBlock => {
    const again = flaw.mended === undefined ? undefined : readToolCall({ ...item, content: flaw.mended }, () => '')
    const mended = again?.type === 'block' ? flaw.mended : undefined
    // Corrected JSON may still be no call: `"arguments": hello` is not repaired by quotes.
    const hint = flaw.mended === mended ? flaw.hint : undefined
    const error = placeFlaw('INVALID_TOOL_CALL', { ...flaw, hint: hint ?? SHAPE }, item.content, {
      line: item.contentLine, offset: item.contentOffset,
    })
    const { around, startLine, endLine } = item
    if (mended === undefined || !around) return failed({ ...item, blockId }, [error])
    const [before, after] = [around.before + TOOL_CALL_OPEN, TOOL_CALL_CLOSE + around.after]
    const fix = mendedFix({ startLine, endLine, before, after }, item.content, mended)
    return failed({ ...item, blockId }, [{ ...error, fix }])
  }
  if (item.errors.length > 0) return failed({ ...item, blockId: nextId() }, item.errors)
  const read = readStrictJson(item.content)
  if (!read.ok) return fail(read.flaw)
  const call = read.value
  if (!isRecord(call)) return fail(flawOfAll('A tool call holds one JSON object'))
  const id = typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : undefined
  if (typeof call['name'] !== 'string' || call['name'] === '') return fail(flawOfAll("Tool call has no 'name'"), id)
  const unknown = Object.keys(call).find((key) => !KEYS.has(key))
  if (unknown !== undefined) return fail(flawOfAll(`Unknown tool call key '${unknown}'`), id)
  const args = readArguments(call['arguments'])
  if ('message' in args) return fail(args, id)
  const block: ParsedBlock = {
    id: id ?? nextId(), format: 'tool_call', action: call['name'], params: args.value, startLine: item.startLine,
    endLine: item.endLine,
  }
  BLOCK_SOURCES.set(block, item)
  return { type: 'block', block }
}

const KEYS = new Set(['name', 'arguments', 'id', 'type'])

function readArguments(args: unknown): { value: Record<string, unknown> } | Flaw {
  if (args === undefined || args === null) return { value: {} }
  if (isRecord(args)) return { value: args }
  if (typeof args !== 'string') return flawOfAll("'arguments' must be an object or a JSON string that holds one")
  const read = readStrictObject(args)
  if (!read.ok) return flawOfAll(`'arguments' string: ${read.flaw.message}`, read.flaw.hint)
  return isRecord(read.value) ? { value: read.value } : flawOfAll("The 'arguments' string must hold a JSON object")
}
