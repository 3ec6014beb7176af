import { type Document, isScalar, parseDocument, Scalar } from 'yaml'
import { isRecord, parseJson } from '../../../0-contracts/src/index.js'
import { type CallChange, changeArgument } from './block-change.js'
import { withBreaksOf } from './keep-line-breaks.js'

const FENCE = /^[ \t]*(?:`{3,}|~{3,})/

/** Rewrites an envelope with its fence, or one document of several in a fence. */
export function* rewrittenEnvelopes(source: string, change: CallChange): Generator<string> {
  const lines = source.split('\n')
  // A document between others has no fence of its own.
  const [first = ''] = lines
  const isWhole = FENCE.test(first)
  const closing = isWhole ? lines.findLastIndex(line => FENCE.test(line)) : -1
  // A list item is rewritten on its own, as a list of one.
  const indent = isWhole || first.trimStart().startsWith('-') ? /^[ \t]*/.exec(first)?.[0] ?? '' : ''
  const body = (isWhole ? lines.slice(1, closing) : lines)
    .map(line => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()).replace(/\r$/, '')).join('\n')
  for (const written of documents(body, change)) {
    const own = written.split('\n').map(line => (line === '' ? line : indent + line))
    yield isWhole ? [first, ...withBreaksOf(lines.slice(1, closing), own), ...lines.slice(closing)].join('\n')
      : [...withBreaksOf(lines, own), ...(source.endsWith('\n') ? [''] : [])].join('\n')
  }
}

function* documents(body: string, change: CallChange): Generator<string> {
  const envelope = body.trimStart().startsWith('{') ? parseJson(body) : undefined
  if (!isRecord(envelope)) {
    yield* yamlDocuments(body, change)
    return
  }
  if (change.kind === 'rename') envelope['verb'] = change.action
  else if (isRecord(envelope['arguments'])) changeArgument(envelope['arguments'], change)
  else return
  yield JSON.stringify(envelope, null, body.trimEnd().includes('\n') ? 2 : undefined)
}

/** Keeps comments and the order of keys. */
function* yamlDocuments(body: string, change: CallChange): Generator<string> {
  for (const isQuoted of [false, true]) {
    const document = parseDocument(body, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'error' })
    const content: unknown = document.toJS()
    const isItem = Array.isArray(content) && content.length === 1
    if (document.errors.length > 0 || !isRecord(isItem ? content[0] : content)) return
    changeDocument(document, change, { isQuoted, at: isItem ? [0] : [] })
    // Quoted strings on one line, since folded ones lose spaces.
    yield document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }).replace(/\n$/, '')
  }
}

/**
 * @param isQuoted use quotes, which allow any text, carriage returns and other control characters included
 * @param at path of the envelope in the document
 */
function changeDocument(
  document: Document.Parsed, change: CallChange, { isQuoted, at }: { isQuoted: boolean; at: readonly number[] },
): void {
  if (change.kind === 'remove') {
    document.deleteIn([...at, 'arguments', change.parameter])
    return
  }
  const [path, value] = change.kind === 'rename' ? [[...at, 'verb'], change.action]
    : [[...at, 'arguments', change.parameter], change.value]
  const before = document.getIn(path, true)
  if (isScalar(before) && !(value instanceof Object)) before.value = value
  else document.setIn(path, document.createNode(value))
  const after = document.getIn(path, true)
  if (isQuoted && isScalar(after) && typeof value === 'string') after.type = Scalar.QUOTE_DOUBLE
}
