import { isUtf8 } from 'node:buffer'
import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'

const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 10

/**
 * The bytes of a regular file or standard input, without a byte order mark.
 *
 * @throws HermesError `NOT_TEXT` for UTF-16, `INVALID_TRANSCRIPT` for a FIFO, socket or device, which may never end,
 *   and Node's codes for what cannot be read
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  let isFirst = true
  try {
    const source = isStdin(path) ? process.stdin : await openRegular(path)
    for await (const chunk of source as AsyncIterable<Buffer>) {
      yield isFirst ? withoutMark(chunk) : chunk
      isFirst = false
    }
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot be read (${error.code})`, {
      hint: 'Give a file that you may read.', cause: error,
    })
  }
}

/** Whether a path is standard input, which is read as a stream. */
export function isStdin(path: string): boolean {
  return path === '-' || path === '/dev/stdin'
}

/** Opens without waiting on a FIFO, and checks the type of the opened file, so that it cannot be swapped. */
async function openRegular(path: string): Promise<Readable> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    // This error identifies a socket.
    throw isNodeError(error) && error.code === 'ENXIO' ? special('a socket') : error
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw special(kindOf(stats))
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle.createReadStream({ highWaterMark: CHUNK_BYTES })
}

function kindOf(stats: Stats): string {
  return stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : stats.isDirectory() ? 'a directory' : 'a device'
}

function special(kind: string): HermesError {
  return new HermesError('INVALID_TRANSCRIPT', `Is ${kind}, and no regular file`, {
    hint: 'Give a file, or pipe it into hermes replay -.',
  })
}

function withoutMark(chunk: Buffer): Buffer {
  const [first, second, third] = chunk
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new HermesError('NOT_TEXT', 'The file is UTF-16', { hint: 'Save it as UTF-8.' })
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? chunk.subarray(3) : chunk
}

/**
 * Reads ahead the first piece, which contains at least a line unless that is long; returns it with the complete bytes.
 */
export async function peek(
  chunks: AsyncGenerator<Buffer, void>,
): Promise<{ first: Buffer; all: AsyncGenerator<Buffer, void> }> {
  let first: Buffer = Buffer.alloc(0)
  // A pipe may deliver single bytes.
  while (first.length < CHUNK_BYTES && !first.includes(LINE_FEED)) {
    const { value, done } = await chunks.next()
    if (done === true || !value) break
    first = first.length === 0 ? value : Buffer.concat([first, value])
  }
  return { first, all: rejoin(first, chunks) }
}

async function* rejoin(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return()
  }
}

/**
 * The whole text of a file.
 *
 * @throws HermesError where it is too long or not UTF-8
 */
export async function readWholeText(source: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
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
