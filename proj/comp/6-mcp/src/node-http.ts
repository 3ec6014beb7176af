import { once } from 'node:events'
import { untilAborted } from '../../0-contracts/src/index.js'
import type { LoopbackCall } from '../../2-wire/src/index.js'

/** Converts a request for the SDK. Its signal is aborted when the client has gone. */
export function toRequest({ request, url, body, signal }: LoopbackCall): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const method = request.method ?? 'GET'
  return new Request(url, {
    method, headers, signal, ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  })
}

/** Writes a response as it arrives. */
export async function sendResponse(answer: Response, { response, signal }: LoopbackCall): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (!answer.body) {
    response.end()
    return
  }
  // An event stream starts before its first event.
  response.flushHeaders()
  const reader = answer.body.getReader()
  const pass = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (!response.write(value) && !signal.aborted) {
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    }
  }
  await untilAborted(signal, () => void reader.cancel().catch(() => undefined), pass).finally(() => response.end())
}
