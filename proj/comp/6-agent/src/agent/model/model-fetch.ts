import { parseJson } from '../../../../0-contracts/src/index.js'
import { refusal } from './server-error.js'

/** Of an answer to a look, in bytes: lists of all models of a service are long. */
const MOST_LOOK = 8 * 1024 * 1024
/** Read of the body of a refusal, in bytes: messages are short, and memory is not endless. */
const MOST_REFUSAL = 64 * 1024

export type HeaderFields = Readonly<Record<string, string>>

/**
 * Posts a JSON document, once. Follows no redirect, since the conversation and the user's own headers would go along,
 * and reads no endless refusal.
 *
 * @param headers of two with one name, in whatever case, the later counts; the content type is none of theirs
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

/** A JSON document that a server may have or not: nothing else is said of why there is none. */
export async function lookUp(
  url: URL, headers: readonly HeaderFields[], signal: AbortSignal, document?: object,
): Promise<unknown> {
  try {
    const response = await request(url, headers, signal, document)
    if (response.ok && response.body !== null) return parseJson(await beginningOf(response.body, MOST_LOOK))
    await response.body?.cancel()
  } catch (error) {
    // No connection, too slow, broken off: it is as if the server had no such address.
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
