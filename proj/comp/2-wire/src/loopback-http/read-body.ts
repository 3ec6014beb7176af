import type { IncomingMessage } from 'node:http'

/** A body of at most `mostBytes`; `undefined` for a larger one, of which no more is read than that. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > mostBytes) {
        request.off('data', take)
        request.pause()
        resolve(undefined)
      } else chunks.push(chunk)
    }
    request.on('data', take)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('The client left before its request was whole')))
  })
}
