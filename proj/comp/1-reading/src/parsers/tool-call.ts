import { isRecord, type Fix, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN, type ToolCallItem } from '../scanner/index.js'
import { keepSource } from './block-source.js'
import { placeFlaw, type Flaw } from './flaw.js'
import { failed, type ReadBlock } from './read-event.js'
import { readStrictJson, readStrictObject } from './strict-json.js'

const SHAPE = 'Write <tool_call>{"name": "…", "arguments": {…}}</tool_call>'

/** Reads `{"name", "arguments", "id"?}`; arguments may also be a string with the JSON of the object. */
export function readToolCall(item: ToolCallItem, nextId: () => string): ReadBlock {
  const fail = (flaw: Flaw, blockId = nextId()): ReadBlock => {
    const mended = flaw.mended !== undefined && isCall(item, flaw.mended) ? flaw.mended : undefined
    // Corrected JSON may still be no call: `"arguments": hello` is not repaired by quotes.
    const hint = flaw.mended === mended ? flaw.hint : undefined
    const error = placeFlaw('INVALID_TOOL_CALL', { ...flaw, hint: hint ?? SHAPE }, item.content, {
      line: item.contentLine, offset: item.contentOffset, later: 0,
    })
    const fix = mended === undefined ? undefined : callFix(item, mended)
    return failed(
      { blockId, startLine: item.startLine, endLine: item.endLine, source: item.source },
      [fix ? { ...error, fix } : error],
    )
  }
  if (item.errors.length > 0) {
    return failed(
      { blockId: nextId(), startLine: item.startLine, endLine: item.endLine, source: item.source }, item.errors,
    )
  }
  const read = readStrictJson(item.content)
  if (!read.ok) return fail(read.flaw)
  const call = read.value
  if (!isRecord(call)) return fail(whole('A tool call holds one JSON object'))
  const id = typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : undefined
  if (typeof call['name'] !== 'string' || call['name'] === '') return fail(whole("Tool call has no 'name'"), id)
  const unknown = Object.keys(call).find((key) => !KEYS.has(key))
  if (unknown !== undefined) return fail(whole(`Unknown tool call key '${unknown}'`), id)
  const args = readArguments(call['arguments'])
  if ('message' in args) return fail(args, id)
  const block: ParsedBlock = {
    id: id ?? nextId(), format: 'tool_call', action: call['name'], params: args.value, startLine: item.startLine,
    endLine: item.endLine,
  }
  keepSource(block, item)
  return { type: 'block', block }
}

function isCall(item: ToolCallItem, content: string): boolean {
  return readToolCall({ ...item, content }, () => '').type === 'block'
}

/** The lines of the call with the corrected JSON. */
function callFix({ around, content, startLine, endLine }: ToolCallItem, mended: string): Fix | undefined {
  if (!around) return undefined
  const [before, after] = [/^\s*/.exec(content)![0], /\s*$/.exec(content)![0]]
  const text = `${around.before}${TOOL_CALL_OPEN}${before}${mended}${after}${TOOL_CALL_CLOSE}${around.after}`
  return { startLine, endLine, text }
}

const KEYS = new Set(['name', 'arguments', 'id', 'type'])

function readArguments(args: unknown): { value: Record<string, unknown> } | Flaw {
  if (args === undefined || args === null) return { value: {} }
  if (isRecord(args)) return { value: args }
  if (typeof args !== 'string') return whole("'arguments' must be an object or a JSON string that holds one")
  const read = readStrictObject(args)
  if (!read.ok) return { ...whole(`'arguments' string: ${read.flaw.message}`), hint: read.flaw.hint ?? SHAPE }
  return isRecord(read.value) ? { value: read.value } : whole("The 'arguments' string must hold a JSON object")
}

function whole(message: string): Flaw {
  return { message, index: 0, length: 0, hint: SHAPE }
}
