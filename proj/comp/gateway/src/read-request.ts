import type { IncomingMessage } from 'node:http'

/** More than any message of these has. */
const MOST_BYTES = 1024 * 1024

/** The body of a POST, or the status it is refused with. Nothing is read of what no adapter takes. */
export async function readRequest(
  request: IncomingMessage, isKnown: boolean,
): Promise<{ body: Buffer } | { status: number }> {
  if (!isKnown) return { status: 404 }
  if (request.method !== 'POST') return { status: 405 }
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return { status: 413 }
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MOST_BYTES) chunks.push(chunk)
      else {
        request.pause()
        resolve({ status: 413 })
      }
    })
    request.once('end', () => resolve({ body: Buffer.concat(chunks) }))
    request.once('error', () => resolve({ status: 400 }))
    request.once('close', () => resolve({ status: 400 }))
  })
}
