import { isRecord } from '../../../0-contracts/src/index.js'
import { jsonOr } from '../fields.js'

/** The values of a stream that was saved: events of `text/event-stream`, lines of JSON, or a list of either. */
export interface Streamed {
  values: Record<string, unknown>[]
  /** The text ends inside a value, or one of them is no JSON: the line of it, from 1. */
  brokenLine?: number
}

const EVENT_LINE = /^(?::|(?:data|event|id|retry)(?::|$))/

/**
 * The data of server-sent events, as the HTML standard has them ('Server-sent events', event stream format);
 * `undefined` for any other text. `[DONE]` ends a stream of OpenAI.
 */
export function eventValues(text: string): Streamed | undefined {
  const lines = text.split(/\r\n|\n|\r/)
  const last = lines.findLastIndex((line) => line !== '')
  // The last line may be cut off in the name of its field.
  if (!lines.every((line, index) => line === '' || EVENT_LINE.test(line) || (index === last && index > 0))) {
    return undefined
  }
  const values: Record<string, unknown>[] = []
  let data: string[] = []
  for (const [index, line] of [...lines, ''].entries()) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
    // Logs leave out the empty lines: what is a value alone ends its event.
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

/** An object a line, at least two of them. A last line that is cut off does not count. */
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
