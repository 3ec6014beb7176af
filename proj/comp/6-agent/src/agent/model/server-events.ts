import { BrokenAnswer } from './model-failure.js'

/** One event of a server, or a JSON document, in UTF-16 units: memory is not endless. */
export const LONGEST_EVENT = 32 * 1024 * 1024
const LINE_END = /\r\n|\n|\r/

export interface ServerEvent {
  /** `''` where it has no name. */
  name: string
  data: string
}

/**
 * The text of a body as it comes, piece by piece. What is not of UTF-8 is replaced.
 *
 * @param onBytes the server is alive
 */
export async function* textOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    onBytes()
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
}

/** The whole of a text that must not be endless. @throws BrokenAnswer */
export async function wholeOf(pieces: AsyncIterable<string>): Promise<string> {
  const all = new Held()
  for await (const piece of pieces) all.add(piece)
  return all.take()
}

/**
 * Events of the format `text/event-stream` that have data: comments and what else keeps a connection alive are passed
 * over. As the standard has it, but that the last may end without an empty line, which some servers leave out.
 *
 * @throws BrokenAnswer for one that is too long
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
    // Of one line end that came in two pieces.
    const text = endedByReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endedByReturn = piece.endsWith('\r')
    const lines = text.split(LINE_END)
    const last = lines.pop() ?? ''
    for (const line of lines) yield rest.take() + line
    if (last !== '') rest.add(last)
  }
  if (!rest.isEmpty) yield rest.take()
}

/** Pieces of what has no end yet. */
class Held {
  readonly #between: string
  #pieces: string[] = []
  #length = 0

  constructor(between = '') {
    this.#between = between
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** @param length as it counts: what is sent of an empty line takes room as well */
  add(piece: string, length = piece.length): void {
    this.#pieces.push(piece)
    this.#length += length
    if (this.#length <= LONGEST_EVENT) return
    throw new BrokenAnswer(`The server sent something longer than ${LONGEST_EVENT / 1024 / 1024} MiB in one`, false)
  }

  take(): string {
    const all = this.#pieces.join(this.#between)
    this.#pieces = []
    this.#length = 0
    return all
  }
}
