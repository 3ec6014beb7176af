/** Read of the body of a refusal, in bytes: messages are short, and memory is not endless. */
const MOST_REFUSAL = 64 * 1024
/** With these no body may be given. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * `fetch` that follows no redirect, since the conversation and the user's own headers would go along, and reads no
 * endless refusal.
 */
export async function modelFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  if (response.ok || response.body === null) return response
  const { status, statusText, headers } = response
  const text = await beginningOf(response.body)
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, statusText, headers })
}

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_REFUSAL) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MOST_REFUSAL)
}
