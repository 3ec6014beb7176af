import { isRecord } from '../../../0-contracts/src/index.js'
import { jsonOr } from '../fields.js'

/** The values of a saved stream: `text/event-stream` events, lines of JSON, or a list of either. */
export interface Streamed {
  values: Record<string, unknown>[]
  /** 1-based line of a value that is cut off or no JSON. */
  brokenLine?: number
}

const EVENT_LINE = /^(?::|(?:data|event|id|retry)(?::|$))/

/**
 * The data of server-sent events (HTML standard, 'Server-sent events'); `undefined` for any other text. `[DONE]` ends a
 * stream of OpenAI.
 */
export function eventValues(text: string): Streamed | undefined {
  const lines = text.split(/\r\n|\n|\r/)
  const last = lines.findLastIndex((line) => line !== '')
  // The last line may be cut off within the field name.
  if (!lines.every((line, index) => line === '' || EVENT_LINE.test(line) || (index === last && index > 0))) {
    return undefined
  }
  const values: Record<string, unknown>[] = []
  let data: string[] = []
  for (const [index, line] of [...lines, ''].entries()) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
    // Logs omit the empty lines: a line that is a complete value ends its event.
    const alone = data.length === 1 ? jsonOr(data[0] ?? '') : undefined
    if (data.length === 0 || (line !== '' && !isRecord(alone))) continue
    const joined = data.join('\n').trim()
    data = []
    if (joined === '[DONE]' || joined === '') continue
    const value = alone ?? jsonOr(joined)
    if (!isRecord(value)) return { values, brokenLine: index }
    values.push(value)
  }
  return values.length === 0 ? undefined : { values }
}

/** Lines with an object each, at least two. An incomplete last line is ignored. */
export function lineValues(text: string): Streamed | undefined {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
  const values: Record<string, unknown>[] = []
  for (const { line, number } of lines) {
    const value = jsonOr(line)
    if (isRecord(value)) values.push(value)
    else if (values.length > 0 && line.startsWith('{')) return { values, brokenLine: number }
    else return undefined
  }
  return values.length > 1 ? { values } : undefined
}
