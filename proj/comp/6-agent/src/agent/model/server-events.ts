import { BrokenAnswer } from './model-failure.js'

/** Longest event of a server, or JSON document, in UTF-16 units, so that memory stays bounded. */
export const LONGEST_EVENT = 32 * 1024 * 1024
const LINE_END = /\r\n|\n|\r/

export interface ServerEvent {
  /** `''` if the event has no name. */
  name: string
  data: string
}

/**
 * The text of a body as it arrives. Invalid UTF-8 is replaced.
 *
 * @param onBytes called for each chunk: the server is alive
 */
export async function* textOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    onBytes()
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
}

/** Joins a text of bounded length. @throws BrokenAnswer */
export async function wholeOf(pieces: AsyncIterable<string>): Promise<string> {
  const all = new Held()
  for await (const piece of pieces) all.add(piece)
  return all.take()
}

/**
 * Reads the events of a `text/event-stream` that have data; comments and keep-alive lines are skipped. As in the
 * standard, except that the last event may lack its empty line, which some servers leave out.
 *
 * @throws BrokenAnswer for an event that is too long
 */
export async function* serverEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent, void> {
  let name = ''
  const data = new Held('\n')
  for await (const line of linesOf(pieces)) {
    if (line === '') {
      if (!data.isEmpty) yield { name, data: data.take() }
      name = ''
      continue
    }
    const colon = line.indexOf(':')
    const [field, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (field === 'data') data.add(value, line.length + 1)
    else if (field === 'event') name = value
  }
  if (!data.isEmpty) yield { name, data: data.take() }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  const rest = new Held()
  let endedByReturn = false
  for await (const piece of pieces) {
    // The second half of a CRLF that was split between two pieces.
    const text = endedByReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endedByReturn = piece.endsWith('\r')
    const lines = text.split(LINE_END)
    const last = lines.pop() ?? ''
    for (const line of lines) yield rest.take() + line
    if (last !== '') rest.add(last)
  }
  if (!rest.isEmpty) yield rest.take()
}

/** Collects the pieces of a line or event that is not complete yet. */
class Held {
  #pieces: string[] = []
  #length = 0

  constructor(private readonly between = '') {}

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** @param length counted against the limit: empty lines take memory as well */
  add(piece: string, length = piece.length): void {
    this.#pieces.push(piece)
    this.#length += length
    if (this.#length <= LONGEST_EVENT) return
    throw new BrokenAnswer(`The server sent something longer than ${LONGEST_EVENT / 1024 / 1024} MiB in one`, false)
  }

  take(): string {
    const all = this.#pieces.join(this.between)
    this.#pieces = []
    this.#length = 0
    return all
  }
}
