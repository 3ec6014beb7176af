import { parseJson } from '../../../../0-contracts/src/index.js'
import { refusal } from './server-error.js'

/** Largest body of a look-up, in bytes: a service's list of models is long. */
const MOST_LOOK = 8 * 1024 * 1024
/** Largest body of an error response, in bytes, so that memory stays bounded. */
const MOST_REFUSAL = 64 * 1024

export type HeaderFields = Readonly<Record<string, string>>

/**
 * Posts a JSON document, once. Follows no redirect, since the conversation and the user's own headers would be sent
 * along, and reads only a bounded part of an error response.
 *
 * @param headers of two with the same name, in any case, the later one counts; the content type is always JSON
 * @throws ServerError for any status but 2xx; what `fetch` throws where no answer comes, or `signal` is aborted
 */
export async function postJson(
  url: URL, document: object, headers: readonly HeaderFields[], signal: AbortSignal,
): Promise<Response> {
  const response = await request(url, headers, signal, document)
  if (response.ok) return response
  const told = response.body === null ? '' : await beginningOf(response.body, MOST_REFUSAL)
  throw refusal(response.status, told, response.headers)
}

/** Reads a JSON document that a server may not have; `undefined` for every reason why there is none. */
export async function lookUp(
  url: URL, headers: readonly HeaderFields[], signal: AbortSignal, document?: object,
): Promise<unknown> {
  try {
    const response = await request(url, headers, signal, document)
    if (response.ok && response.body !== null) return parseJson(await beginningOf(response.body, MOST_LOOK))
    await response.body?.cancel()
  } catch (error) {
    // No connection, too slow or broken off: treat it as if the server had no such document.
    if (!(error instanceof Error)) throw error
  }
  return undefined
}

async function request(
  url: URL, headers: readonly HeaderFields[], signal: AbortSignal, document?: object,
): Promise<Response> {
  const sent = new Headers()
  for (const [name, value] of headers.flatMap((fields) => Object.entries(fields))) sent.set(name, value)
  if (document) sent.set('content-type', 'application/json')
  const body = document ? { method: 'POST', body: JSON.stringify(document) } : {}
  return fetch(url, { headers: sent, redirect: 'manual', signal, ...body })
}

async function beginningOf(body: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= most) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, most))
}
