import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { HermesError, isNodeError } from '../../contracts/src/index.js'

const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a file without a byte order mark.
 *
 * @throws HermesError `NOT_TEXT` for UTF-16, Node's codes for what cannot be read
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  let isFirst = true
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      yield isFirst ? withoutMark(chunk) : chunk
      isFirst = false
    }
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot be read (${error.code})`, { hint: 'Give a file that you may read.', cause: error })
  }
}

function withoutMark(chunk: Buffer): Buffer {
  const [first, second, third] = chunk
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new HermesError('NOT_TEXT', 'The file is UTF-16', { hint: 'Save it as UTF-8.' })
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? chunk.subarray(3) : chunk
}

/** The same bytes, and the first piece of them to look at beforehand. */
export async function peek(
  chunks: AsyncGenerator<Buffer, void>,
): Promise<{ first: Buffer; all: AsyncGenerator<Buffer, void> }> {
  const { value, done } = await chunks.next()
  const first = done === true || !value ? Buffer.alloc(0) : value
  return { first, all: rejoin(first, chunks) }
}

async function* rejoin(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

/** The whole text of a file. @throws HermesError where it is too long or no UTF-8 */
export async function readWholeText(path: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytesOf(path)) {
    length += chunk.length
    if (length > maxBytes) {
      throw new HermesError('FILE_TOO_LARGE', `The file has more than ${maxBytes} bytes`, { hint: 'Split it.' })
    }
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new HermesError('NOT_TEXT', 'The file is not valid UTF-8', { hint: 'Save it as UTF-8.' })
  return bytes.toString('utf8')
}
