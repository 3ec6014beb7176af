import { refusal } from './server-error.js'

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
  const sent = new Headers()
  for (const [name, value] of headers.flatMap((fields) => Object.entries(fields))) sent.set(name, value)
  sent.set('content-type', 'application/json')
  const body = JSON.stringify(document)
  const response = await fetch(url, { method: 'POST', headers: sent, body, redirect: 'manual', signal })
  if (response.ok) return response
  const told = response.body === null ? '' : await beginningOf(response.body)
  throw refusal(response.status, told, response.headers)
}

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_REFUSAL) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MOST_REFUSAL))
}
