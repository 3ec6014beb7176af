import { isUtf8 } from 'node:buffer'
import { isRecord, parseJson } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'

/** A JSON-RPC message as received. */
export type WireMessage = Record<string, unknown>

/** A protocol violation of an extension. */
export class Fault extends Error {
  /** @param hint what to do about it */
  constructor(message: string, readonly hint: string) {
    super(message)
  }
}

const HEADER_END = '\r\n\r\n'
const MOST_HEADER_BYTES = 1000

/**
 * Parses frames strictly by docs/extensions.md, where hermes itself is lenient, since other hosts may not be.
 *
 * @param take called with each message
 * @returns takes the next piece of standard output; throws `Fault`
 */
export function strictFrames(take: (message: WireMessage) => void): (piece: Buffer) => void {
  let input: Buffer = Buffer.alloc(0)
  return (piece) => {
    input = Buffer.concat([input, piece])
    for (;;) {
      const end = input.indexOf(HEADER_END)
      if (end === -1) {
        if (!isOpenHeader(input)) throw noFrame(input)
        return
      }
      const length = lengthIn(input.toString('latin1', 0, end))
      if (length === undefined) throw noFrame(input)
      const start = end + HEADER_END.length
      if (input.length < start + length) return
      take(messageIn(input.subarray(start, start + length)))
      input = input.subarray(start + length)
    }
  }
}

/** Whether the input may still become a header. */
function isOpenHeader(input: Buffer): boolean {
  return input.length < MOST_HEADER_BYTES
    && /^(?:[\w-]+:[^\r\n]*\r\n)*(?:[\w-]*|[\w-]+:[^\r\n]*\r?|\r)$/.test(input.toString('latin1'))
}

function lengthIn(header: string): number | undefined {
  const lines = header.split('\r\n')
  if (!lines.every(line => /^[\w-]+:[^\r\n]*$/.test(line))) return undefined
  const [length, second] = lines.flatMap(line => /^content-length: *(\d+) *$/i.exec(line)?.[1] ?? [])
  return length === undefined || second !== undefined ? undefined : Number(length)
}

function noFrame(input: Buffer): Fault {
  return new Fault(
    `It wrote ${shown(input)} where "Content-Length: N\\r\\n\\r\\n" and N bytes of JSON belong`,
    'Print to standard error; count bytes of UTF-8, not characters; write no line break after the JSON.',
  )
}

function messageIn(body: Buffer): WireMessage {
  const value = isUtf8(body) ? parseJson(body.toString('utf8')) : undefined
  if (!isRecord(value)) throw new Fault(
    `Its Content-Length was ${body.length}, and those bytes are no JSON object: ${shown(body)}`,
    'Count the bytes of the UTF-8 text that is written, and send one message a frame.',
  )
  if (value['jsonrpc'] !== '2.0') throw new Fault(
    `It sent a message without "jsonrpc": "2.0": ${shown(body)}`, 'Each message has it (JSON-RPC 2.0, section 4).',
  )
  return value
}

function shown(bytes: Buffer): string {
  return `"${escapeControls(clip(bytes.toString('utf8', 0, 200), 80))}"`
}
