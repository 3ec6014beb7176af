import type { IncomingMessage } from 'node:http'
import { readBody } from '../../../2-wire/src/index.js'

/** More than any message of these has. */
const MOST_BYTES = 1024 * 1024

/** The body of a POST, or the status it is refused with. Nothing is read of what no adapter takes. */
export async function readRequest(
  request: IncomingMessage, isKnown: boolean,
): Promise<{ body: Buffer } | { status: number }> {
  if (!isKnown) return { status: 404 }
  if (request.method !== 'POST') return { status: 405 }
  try {
    const body = await readBody(request, MOST_BYTES)
    return body === undefined ? { status: 413 } : { body }
  } catch (error) {
    // The client left before its request was whole.
    if (!(error instanceof Error)) throw error
    return { status: 400 }
  }
}
