import { addAbortSignal } from 'node:stream'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { binary, notUtf8, requireNoUtf16 } from '../../../2-files/src/index.js'
import { countBreaks, Utf8Reader, type Utf8Text } from '../../../0-text/src/index.js'
import { STDIN, stdinFailure } from './read-input.js'

/** From here on memory counts more than time, in bytes. */
const LONG = 128 * 1024

/**
 * Standard input as it comes.
 *
 * @param signal ends the reading
 * @throws HermesError for what is no UTF-8 text, once what stands before it was taken, and for what cannot be read
 */
export async function* stdinText(signal: AbortSignal): AsyncGenerator<string, void> {
  let length = 0
  const reader = new Utf8Reader()
  let line = 1
  const checked = function* ({ text, badLine }: Utf8Text): Generator<string, void> {
    const nul = text.indexOf('\0')
    if (nul >= 0) {
      const good = text.slice(0, nul)
      if (good !== '') yield good
      throw binary(STDIN, line + countBreaks(good, 0, good.length))
    }
    line += countBreaks(text, 0, text.length)
    if (text !== '') yield text
    if (badLine !== undefined) throw notUtf8(STDIN, badLine)
  }
  for await (const bytes of inWholeStart(stdinBytes(signal))) {
    if (length <= LONG && length + bytes.length > LONG) await preferMemory()
    length += bytes.length
    yield* checked(reader.push(bytes))
  }
  yield* checked(reader.end())
}

/**
 * V8 collects sooner: what a block leaves behind would pile up to 50 MB otherwise.
 * Costs a long answer some 10 % more time.
 */
async function preferMemory(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--optimize-for-size')
}

async function* stdinBytes(signal: AbortSignal): AsyncGenerator<Buffer, void> {
  try {
    for await (const bytes of addAbortSignal(signal, process.stdin)) yield bytes as Buffer
  } catch (error) {
    if (signal.aborted) return
    if (!isNodeError(error)) throw error
    throw stdinFailure(error.code)
  }
}

/** The first piece has the two bytes that tell of UTF-16. @throws HermesError `NOT_TEXT` where they do */
async function* inWholeStart(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (start === undefined) {
      yield piece
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < 2) continue
    requireNoUtf16(start, STDIN)
    yield start
    start = undefined
  }
  if (start !== undefined) yield start
}
