/** Most bytes of one answer; of one that never ends, too. */
const MOST_BYTES = 16 * 2 ** 20

/**
 * `fetch` for servers that are not trusted: an answer of more than 16 MB, or one to a request that takes longer than it
 * may, ends with an error.
 *
 * @param mostMs of an answer; one that was not asked for by a body (a stream of notices) may take longer
 * @param onFlood told of an answer that was too large
 */
export function boundedFetch(
  mostMs: number, onFlood: (problem: string) => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const enough = new AbortController()
    const signals = [
      enough.signal, ...(init.signal ? [init.signal] : []),
      ...(init.method === 'POST' ? [AbortSignal.timeout(mostMs)] : []),
    ]
    const answer = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    if (!answer.body) return answer
    let bytes = 0
    const counted = answer.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes <= MOST_BYTES) {
          controller.enqueue(chunk)
          return
        }
        const error = new Error(`it sent more than ${MOST_BYTES / 2 ** 20} MB`)
        controller.error(error)
        enough.abort(error)
        onFlood(error.message)
      },
    }))
    return new Response(counted, { status: answer.status, statusText: answer.statusText, headers: answer.headers })
  }
}
