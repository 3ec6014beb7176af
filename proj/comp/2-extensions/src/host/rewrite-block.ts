import { isScalar, parseDocument } from 'yaml'
import { isRecord, parseJson, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { shamBlock } from '../../../1-registry/src/index.js'

/** What is to become of one block. */
export type BlockChange =
  | { kind: 'set'; parameter: string; value: unknown }
  | { kind: 'remove'; parameter: string }
  | { kind: 'remove-block' }

type ParameterChange = Exclude<BlockChange, { kind: 'remove-block' }>

/**
 * Writes a block anew where it stands.
 *
 * @returns `undefined` where that is not possible; whether the result is right is seen by reading it
 */
export function rewriteBlock(
  text: string, blocks: readonly ParsedBlock[], block: ParsedBlock, change: BlockChange,
): string | undefined {
  const { start, end } = placeOf(text, block)
  const source = text.slice(start, end)
  const written = rewritten(source, blocks, block, change)
  return written === undefined ? undefined : text.slice(0, start) + written + text.slice(end)
}

/** From the first character of its first line to its last line break, which is its own. */
function placeOf(text: string, { startLine, endLine }: ParsedBlock): { start: number; end: number } {
  let start = 0
  for (let line = 1; line < startLine; line++) start = text.indexOf('\n', start) + 1
  let end = start
  for (let line = startLine; line <= endLine; line++) {
    const at = text.indexOf('\n', end)
    end = at === -1 ? text.length : at + 1
  }
  return { start, end }
}

function rewritten(
  source: string, blocks: readonly ParsedBlock[], block: ParsedBlock, change: BlockChange,
): string | undefined {
  switch (block.format) {
    case 'sham':
    case 'nesl': return change.kind === 'remove-block' ? '' : rewrittenSham(source, block, change)
    case 'envelope': return rewrittenEnvelope(source, change)
    case 'tool_call': return rewrittenCall(source, blocks, block, change)
    default: return change.kind === 'remove-block' ? '' : undefined
  }
}

function rewrittenSham(source: string, { id, action, params }: ParsedBlock, change: ParameterChange): string {
  const { action: _, ...others } = params
  const all: Record<string, unknown> = { action, ...others }
  if (change.kind === 'set') all[change.parameter] = typeof change.value === 'string' ? change.value
    : JSON.stringify(change.value)
  else delete all[change.parameter]
  const { action: verb, ...rest } = all
  const column = /^[ \t]*/.exec(source)?.[0] ?? ''
  const lines = shamBlock(id, String(verb ?? ''), rest).split('\n')
  return `${lines.map(line => column + line).join('\n')}${breakAtEnd(source)}`
}

const FENCE = /^[ \t]*(?:`{3,}|~{3,})/

function rewrittenEnvelope(source: string, change: BlockChange): string | undefined {
  if (change.kind === 'remove-block') return ''
  const lines = source.split('\n')
  // A document between others has no fence of its own.
  const [first = ''] = lines
  const isWhole = FENCE.test(first)
  const closing = lines.findLastIndex(line => FENCE.test(line))
  const head = isWhole ? `${first}\n` : ''
  const body = isWhole ? lines.slice(1, closing).join('\n') : source
  const tail = isWhole ? `\n${lines.slice(closing).join('\n')}` : ''
  const written = body.trimStart().startsWith('{') ? rewrittenJson(body, change) : rewrittenYaml(body, change)
  return written === undefined ? undefined : `${head}${isWhole ? written : written + breakAtEnd(source)}${tail}`
}

function rewrittenJson(body: string, change: ParameterChange): string | undefined {
  const envelope: unknown = JSON.parse(body)
  if (!isRecord(envelope) || !isRecord(envelope['arguments'])) return undefined
  apply(envelope['arguments'], change)
  return JSON.stringify(envelope, null, body.trimEnd().includes('\n') ? 2 : undefined)
}

/** Comments and the order of keys stay. */
function rewrittenYaml(body: string, change: ParameterChange): string | undefined {
  const document = parseDocument(body, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'error' })
  if (document.errors.length > 0 || !isRecord(document.toJS())) return undefined
  const path = ['arguments', change.parameter]
  const before = document.getIn(path, true)
  if (change.kind === 'remove') document.deleteIn(path)
  else if (isScalar(before) && !(change.value instanceof Object)) before.value = change.value
  else document.setIn(path, document.createNode(change.value))
  return document.toString({ lineWidth: 0 }).replace(/\n$/, '')
}

const CALL = /(<tool_call>)([\s\S]*?)(<\/tool_call>)/g

/** Several calls may share a line. */
function rewrittenCall(
  source: string, blocks: readonly ParsedBlock[], block: ParsedBlock, change: BlockChange,
): string | undefined {
  if (block.dialect !== undefined) return undefined
  const sharing = blocks.filter(one => one.format === 'tool_call' && one.startLine === block.startLine)
  const place = sharing.indexOf(block)
  const match = [...source.matchAll(CALL)][place]
  if (!match) return undefined
  const [whole, opening = '', json = '', closing = ''] = match
  const end = match.index + whole.length
  if (change.kind === 'remove-block') return source.slice(0, match.index) + source.slice(end)
  // The regular expression may have cut it where a string holds the closing tag.
  const call = parseJson(json)
  if (!isRecord(call)) return undefined
  const isText = typeof call['arguments'] === 'string'
  const args: unknown = isText ? parseJson(String(call['arguments'])) : call['arguments']
  if (!isRecord(args)) return undefined
  apply(args, change)
  call['arguments'] = isText ? JSON.stringify(args) : args
  return `${source.slice(0, match.index)}${opening}${JSON.stringify(call)}${closing}${source.slice(end)}`
}

function apply(args: Record<string, unknown>, change: ParameterChange): void {
  if (change.kind === 'set') args[change.parameter] = change.value
  else delete args[change.parameter]
}

function breakAtEnd(source: string): string {
  return source.endsWith('\r\n') ? '\r\n' : source.endsWith('\n') ? '\n' : ''
}
