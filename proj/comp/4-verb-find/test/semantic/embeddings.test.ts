import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { quantize, similarity } from '../../src/semantic/vector-store.js'
import { closedPort, configure, startEmbeddings } from './embedding-server.js'
import { pathsFor, plantOld, search } from './run-search.js'

const WRONG_URL = 'HERMES_EMBEDDINGS_URL must be an http or https URL without a password'
const TREE = { 'boat.txt': 'sail the boat home\n', 'desk.txt': 'ocean view desk\n', 'other.txt': 'tax forms\n' }

function planted(tree: Record<string, string> = TREE, kind: 'disk' | 'overlay' = 'disk') {
  const root = tempDir()
  plantOld(root, tree)
  return contextFor(root, kind, { commandTimeoutMs: 2_000 })
}

function manyFiles(count: number, word: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.txt`, `text ${i} ${word}\n`]))
}

describe('an embedding endpoint', () => {
  it('finds what shares no word with the query, and is asked with model, key and inputs', async () => {
    const context = planted()
    expect(await pathsFor(context, 'harbour')).toEqual([])
    const requests = await startEmbeddings()
    const { results, embedding_error } = await search(context, { query: 'harbour' })
    expect(embedding_error).toBeUndefined()
    expect(results.map(({ path }) => path)).toEqual(['boat.txt', 'desk.txt', 'other.txt'])
    expect(requests).toEqual([
      { path: '/v1/embeddings', authorization: 'Bearer sk-very-secret', model: 'test-model', input: ['harbour'] },
      { path: '/v1/embeddings', authorization: 'Bearer sk-very-secret', model: 'test-model',
        input: Object.values(TREE).map((text) => text.trimEnd()) },
    ])
  })

  it('is not asked where a policy closes the network', async () => {
    const context = planted()
    const requests = await startEmbeddings()
    const closed = { ...context.policy.verbs, network: { value: 'off' as const, by: 'hermes.yaml:1' } }
    const { results, embedding_error } = await search({ ...context, policy: { ...context.policy, verbs: closed } }, { query: 'boat' })
    expect([results.map(({ path }) => path), embedding_error, requests]).toEqual([['boat.txt'], undefined, []])
  })

  it('is mixed in by reciprocal rank', async () => {
    const context = planted({ ...TREE, 'tax.txt': 'harbour harbour\n' })
    await startEmbeddings()
    const [first, second] = (await search(context, { query: 'harbour' })).results
    expect(first).toMatchObject({ path: 'tax.txt', score: Number((1 / 61 + 1 / 63).toFixed(4)) })
    expect(second).toMatchObject({ path: 'boat.txt', score: Number((1 / 61).toFixed(4)) })
  })

  it('is asked once for each passage and model; vectors are kept on disk', async () => {
    const context = planted()
    const requests = await startEmbeddings()
    await search(context, { query: 'harbour' })
    const size = requests.length
    plantOld(context.session.root, { 'boat.txt': 'a new boat\n', 'moved/desk.txt': TREE['desk.txt'] })
    await search(context, { query: 'harbour' })
    expect(requests.slice(size).map(({ input }) => input)).toEqual([['harbour'], ['a new boat']])
    configure(process.env['HERMES_EMBEDDINGS_URL']!, 'another-model')
    await search(context, { query: 'harbour' })
    expect(requests.at(-1)).toMatchObject({ model: 'another-model', input: { length: 3 } })
    const vectors = readdirSync(join(context.session.root, '.hermes', 'index')).filter((name) => name.startsWith('vectors'))
    expect(vectors).toHaveLength(2)
  })

  it('gets passages in batches', async () => {
    const context = planted(manyFiles(150, 'desk'))
    const requests = await startEmbeddings()
    expect((await search(context, { query: 'harbour', max_results: 100 })).results).toHaveLength(100)
    expect(requests.map(({ input }) => input.length)).toEqual([1, 64, 64, 22])
  })

  it('is not asked in a dry run', async () => {
    const context = planted(TREE, 'overlay')
    const requests = await startEmbeddings()
    expect(await search(context, { query: 'boat' })).toMatchObject({
      results: [{ path: 'boat.txt' }], embedding_error: 'embedding endpoint: not asked in a dry run',
    })
    expect(requests).toEqual([])
    expect(existsSync(join(context.session.root, '.hermes'))).toBe(false)
  })
})

describe('a failure of the endpoint leaves the embedded ranking and is told, the key never', () => {
  const failing: [string, string, Parameters<typeof startEmbeddings>[0]][] = [
    ['a refusal', 'HTTP 401', ({ authorization }, response) => {
      response.statusCode = 401
      response.end(`Incorrect key: ${authorization}`)
      return true
    }],
    ['silence', 'no answer within 0.2s', () => true],
    ['no JSON', 'the answer does not hold one vector for each text', (_, response) => {
      response.end('<html>')
      return true
    }],
    ['too few vectors', 'the answer does not hold one vector for each text', (_, response) => {
      response.end('{"data": []}')
      return true
    }],
    ['vectors of words', 'the answer does not hold one vector for each text', (_, response) => {
      response.end('{"data": [{"index": 0, "embedding": ["a"]}]}')
      return true
    }],
    ['a redirection', 'the request failed', (_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
      return true
    }],
    ['a lost connection', 'UND_ERR_SOCKET', (_, response) => {
      response.destroy()
      return true
    }],
  ]

  it.each(failing)('%s', async (_, error, behave) => {
    const here = planted({ ...TREE, ...manyFiles(20, 'word') })
    const context = { ...here, limits: { ...here.limits, commandTimeoutMs: 200 } }
    await startEmbeddings(behave)
    const found = await search(context, { query: 'boat' })
    expect(found).toMatchObject({ results: [{ path: 'boat.txt' }], embedding_error: `embedding endpoint: ${error}` })
    expect(JSON.stringify(found)).not.toContain('secret')
    const files = readdirSync(join(context.session.root, '.hermes', 'index'))
    expect(files).toContain('code.passages')
    for (const name of files) {
      expect(readFileSync(join(context.session.root, '.hermes', 'index', name), 'utf8')).not.toContain('sk-')
    }
  })

  it.each([
    ['a port fetch refuses', 'http://127.0.0.1:1/v1', 'm', 'k', 'the request failed'],
    ['no URL', 'localhost', 'm', 'k', WRONG_URL],
    ['a file', 'file:///etc/passwd', 'm', 'k', WRONG_URL],
    ['a password', 'http://a:secret@localhost/', 'm', 'k', WRONG_URL],
    ['no model', 'http://127.0.0.1:1/v1', '', 'k', 'HERMES_EMBEDDINGS_MODEL is not set'],
    ['a key no header can hold', 'http://127.0.0.1:1/v1', 'm', 'secret\nkey', 'the request failed'],
  ])('%s', async (_, url, model, key, error) => {
    const context = planted()
    configure(url, model, key)
    const found = await search(context, { query: 'boat' })
    expect(found).toMatchObject({ results: [{ path: 'boat.txt' }] })
    expect(found.embedding_error).toBe(`embedding endpoint: ${error}`)
  })

  it('nobody listens', async () => {
    const context = planted()
    configure(`http://127.0.0.1:${await closedPort()}/v1`)
    expect((await search(context, { query: 'boat' })).embedding_error).toBe('embedding endpoint: ECONNREFUSED')
  })

  it('what arrived before it is used and kept', async () => {
    const context = planted(manyFiles(100, 'ocean'))
    let count = 0
    const requests = await startEmbeddings((_, response) => {
      if (++count !== 3) return undefined
      response.statusCode = 503
      response.end()
      return true
    })
    const first = await search(context, { query: 'harbour' })
    expect(first).toMatchObject({ results: { length: 20 }, embedding_error: 'embedding endpoint: HTTP 503' })
    expect(await search(context, { query: 'harbour' })).not.toHaveProperty('embedding_error')
    expect(requests.at(-1)!.input).toHaveLength(36)
  })

  it('a cancelled run ends the request', async () => {
    const abort = new AbortController()
    const context = { ...planted(), signal: abort.signal }
    await startEmbeddings(() => {
      abort.abort()
      return true
    })
    await expect(search(context, { query: 'boat' })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

it('vectors keep their direction in a byte a number', () => {
  const a = [0.3, -0.2, 0.9]
  expect(similarity(quantize(a), quantize(a.map((value) => value * 7)))).toBeCloseTo(1, 6)
  expect(similarity(quantize([1, 0]), quantize([0, 1]))).toBe(0)
  expect(similarity(quantize([1, 0]), quantize([1, 0, 0]))).toBe(0)
  expect(similarity(quantize([0, 0]), quantize([1, 0]))).toBe(0)
})
