import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'

export interface EmbeddingRequest {
  path: string
  authorization: string | undefined
  model: string
  input: string[]
}

/** What the server does with a request; `undefined` answers with vectors. */
type Behaviour = (request: EmbeddingRequest, response: ServerResponse) => boolean | undefined

/**
 * An endpoint on loopback whose vectors say only whether a text is about the sea; stopped when the test ends. The
 * environment points to it.
 */
export async function startEmbeddings(behave: Behaviour = () => undefined): Promise<EmbeddingRequest[]> {
  const requests: EmbeddingRequest[] = []
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { model, input } = await json(incoming) as { model: string; input: string[] }
    const request = { path: incoming.url ?? '', authorization: incoming.headers.authorization, model, input }
    requests.push(request)
    if (behave(request, response)) return
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: data.toReversed() }))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  }))
  configure(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`)
  return requests
}

/** A port of loopback where nothing listens any more. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

export function configure(url: string, model = 'test-model', key = 'sk-very-secret'): void {
  vi.stubEnv('HERMES_EMBEDDINGS_URL', url)
  vi.stubEnv('HERMES_EMBEDDINGS_MODEL', model)
  vi.stubEnv('HERMES_EMBEDDINGS_KEY', key)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

function vectorOf(text: string): number[] {
  return /ocean|boat|sail|harbou?r/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]
}
