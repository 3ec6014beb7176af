import { isRecord, type ParsedBlock } from '../../../0-contracts/src/index.js'
import type { CallKeys } from '../dialects/index.js'
import type { DialectCallItem, DialectField } from '../scanner/index.js'
import { flawOfAll, mendedFix, placeFlaw, type Flaw } from './flaw.js'
import { define, readPython } from './python-calls.js'
import { failed, type FailedBlock, type ReadEvent } from './read-event.js'
import { readStrictJson, readStrictObject } from './strict-json.js'
import { readSweCommand } from './swe-command.js'

/** Reads the call, or each of several, in an item; as strictly as the content of `<tool_call>`. */
export function readDialectCalls(item: DialectCallItem, nextId: () => string): ReadEvent[] {
  if (item.errors.length > 0) {
    const event = failed({ ...item, blockId: item.id ?? nextId() }, item.errors)
    return [item.body === 'command' ? { ...event, isSingle: true } : event]
  }
  switch (item.body) {
    case 'fields': return [readFields(item, nextId)]
    case 'json': return readJson(item, nextId)
    case 'command': return [readCommand(item, nextId)]
    case 'python':
    case 'statements': {
      const read = readPython(item.content, item.body === 'statements')
      if (!read.ok) return [fail(item, read.flaw, nextId())]
      return read.calls.map((call) => blockOf(item, call, nextId))
    }
  }
}

/** A refused command also counts as the answer's single one. */
function readCommand(item: DialectCallItem, nextId: () => string): ReadEvent {
  const read = readSweCommand(item.content, /^[^\n]*[`~][ \t]*\r?\n/.test(item.source))
  if (read.ok) return blockOf(item, read.call, nextId)
  return { ...fail(item, read.flaw, nextId()), isSingle: true }
}

function readFields(item: DialectCallItem, nextId: () => string): ReadEvent {
  const params: Record<string, unknown> = {}
  for (const field of item.fields) {
    const { key, text, isJson } = field
    if (Object.hasOwn(params, key)) {
      return fieldFailed(item, field, flawOfAll(`Parameter '${key}' stands twice`), nextId())
    }
    const read = isJson ? readStrictJson(text) : { ok: true, value: text } as const
    if (!read.ok) {
      return fieldFailed(item, field, { ...read.flaw, message: `Parameter '${key}': ${read.flaw.message}` }, nextId())
    }
    define(params, key, read.value)
  }
  const call = { name: item.name, arguments: params, ...(item.id !== undefined && { id: item.id }) }
  // Where the dialect marks which values are JSON, the others are strings.
  const isTyped = item.fields.some(({ isJson }) => isJson)
  return blockOf(item, call, nextId, isTyped ? undefined : { textValues: true })
}

function readJson(item: DialectCallItem, nextId: () => string): ReadEvent[] {
  const isEmpty = item.name !== undefined && item.content.trim() === ''
  const read = isEmpty ? { ok: true, value: {} } as const
    : item.name === undefined ? readStrictJson(item.content) : readStrictObject(item.content)
  if (!read.ok) return [fail(item, read.flaw, item.id ?? nextId())]
  const { value } = read
  if (item.name !== undefined) return [blockOf(item, { name: item.name, arguments: value, id: item.id }, nextId)]
  const calls = Array.isArray(value) ? value : [value]
  if (calls.length === 0) return [fail(item, flawOfAll('The list holds no call'), nextId())]
  return calls.map((call: unknown) => readCall(item, call, nextId))
}

/** Reads an object that names its tool. */
function readCall(item: DialectCallItem, call: unknown, nextId: () => string): ReadEvent {
  if (!isRecord(call)) return fail(item, flawOfAll('Each call is a JSON object'), nextId())
  const keys = item.keys!.find((each) => hasKeys(call, each)) ?? item.keys![0]!
  const { within } = keys
  const said = within === undefined ? call : call[within] as Record<string, unknown>
  const known = new Set<string | undefined>([keys.name, keys.arguments, keys.id, within, 'type', 'index'])
  const unknown = [...Object.keys(call), ...Object.keys(said)].find((key) => !known.has(key))
  if (unknown !== undefined) return fail(item, flawOfAll(`Unknown key '${unknown}' in a call`), nextId())
  const id = keys.id === undefined ? undefined : call[keys.id]
  return blockOf(item, { name: said[keys.name], arguments: said[keys.arguments] ?? {}, id }, nextId)
}

function hasKeys(call: Record<string, unknown>, { name, arguments: given, within }: CallKeys): boolean {
  const said = within === undefined ? call : call[within]
  return isRecord(said) && Object.hasOwn(said, name) && Object.hasOwn(said, given)
}

/** @param call its content, before it becomes a block */
function blockOf(
  item: DialectCallItem, { name, arguments: given, id }: { name: unknown; arguments: unknown; id?: unknown },
  nextId: () => string, more: Pick<ParsedBlock, 'textValues'> = {},
): ReadEvent {
  const { startLine, endLine, dialect } = item
  if (typeof name === 'string' && dialect.answers?.includes(name)) {
    return { type: 'skipped', block: { startLine, endLine, reason: `the final answer of ${dialect.title}: no call` } }
  }
  const blockId = typeof id === 'string' && id !== '' ? id : nextId()
  if (typeof name !== 'string' || name === '') return fail(item, flawOfAll('The call names no tool'), blockId)
  const read = typeof given === 'string' ? readStrictObject(given) : { ok: true, value: given } as const
  if (!read.ok) return fail(item, flawOfAll(`Arguments: ${read.flaw.message}`, read.flaw.hint), blockId)
  if (!isRecord(read.value)) return fail(item, flawOfAll('The arguments must be one JSON object'), blockId)
  return {
    type: 'block', ...(dialect.isSingle && { source: item.source, isSingle: true }),
    block: {
      id: blockId, format: 'tool_call', dialect: dialect.name, action: name, params: read.value, startLine, endLine,
      ...more,
    },
  }
}

function fieldFailed(item: DialectCallItem, field: DialectField, flaw: Flaw, blockId: string): ReadEvent {
  return fail({ ...item, content: field.text, contentLine: field.line, contentOffset: field.offset }, flaw, blockId)
}

function fail(item: DialectCallItem, flaw: Flaw, blockId: string): FailedBlock {
  const { title, shape } = item.dialect
  // For a field, only its value would be corrected.
  const mended = item.body === 'json' ? flaw.mended : undefined
  const isMended = mended !== undefined && isCalls(item, mended)
  const hint = mended === undefined || isMended ? flaw.hint : undefined
  const told = { ...flaw, message: `${title} call: ${flaw.message}`, hint: hint ?? `Write ${shape}` }
  const error = placeFlaw('INVALID_TOOL_CALL', told, item.content, {
    line: item.contentLine, offset: item.contentOffset,
  })
  const fix = isMended && item.around ? mendedFix(item.around, item.content, mended) : undefined
  return failed({ ...item, blockId }, [fix ? { ...error, fix } : error])
}

/** Whether corrected text is a valid call: valid JSON need not be one. */
function isCalls(item: DialectCallItem, content: string): boolean {
  return readJson({ ...item, content }, () => '').every(({ type }) => type === 'block')
}
