import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readGoldens } from '../../../../../test/support/goldens.js'
import { endpointOf } from '../../../src/agent/model/endpoint.js'
import { ModelClient } from '../../../src/agent/model/model-client.js'
import { WindowSize } from '../../../src/agent/model/window-size.js'

/** A server that has these documents, and what it was asked. */
async function serving(documents: ReadonlyMap<string, string>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const document = documents.get(request.url ?? '')
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(document)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

function sizeAt(baseURL: string, options: { contextWindow?: number } = {}): WindowSize {
  return new WindowSize(new ModelClient(endpointOf({ baseURL, apiKey: 'key' }), {}), options)
}

describe('the window', () => {
  it.each(readGoldens(new URL('../../../test-data/agent/model/windows.cases.md', import.meta.url)))(
    '$group: $name', async ({ fences }) => {
      const of = (kind: string): string => fences.find(({ info }) => info === kind)?.body ?? ''
      const documents = fences.flatMap(({ info, body }) => (
        info.startsWith('json ') ? [[info.slice(5), body] as const] : []
      ))
      const { url } = await serving(new Map(documents))
      const size = sizeAt(url)
      await size.learn(of('asked'))
      expect(size.of(of('asked'))).toBe(Number(of('tokens')))
    },
  )

  it('is asked for once a model, with the key of the server, and not where the user set it', async () => {
    const { url, asked } = await serving(new Map([['/v1/models', '{"data":[{"id":"m","max_model_len":5000}]}']]))
    const size = sizeAt(url)
    await Promise.all([size.learn('m'), size.learn('m')])
    await size.learn('m')
    expect(asked).toEqual(['GET /v1/models Bearer key'])
    const own = sizeAt(url, { contextWindow: 7000 })
    await own.learn('m')
    expect([own.of('m'), asked.length]).toEqual([7000, 1])
  })

  it('stays as it was where no server is', async () => {
    const size = sizeAt('http://127.0.0.1:1/v1')
    await size.learn('gpt-4')
    expect(size.of('gpt-4')).toBe(8192)
  })
})
