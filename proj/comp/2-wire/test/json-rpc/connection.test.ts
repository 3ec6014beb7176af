import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createMessageConnection, CancellationTokenSource, ErrorCodes } from 'vscode-jsonrpc/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect, RPC, type Connection } from '../../src/json-rpc/index.js'
import { frame, openWire, testMethods, type Wire } from './wire.js'

const open: { close(): void }[] = []
afterEach(() => {
  for (const connection of open.splice(0)) connection.close()
})

describe('with a vscode-jsonrpc client', () => {
  it('answers, tells an error with its data, and cancels', async () => {
    const { client } = pair()
    expect(await client.sendRequest('echo', { a: 1 })).toEqual({ a: 1 })
    await expect(client.sendRequest('fail')).rejects.toMatchObject({ code: RPC.requestFailed, data: { code: 'ENOENT' } })
    await expect(client.sendRequest('nothing')).rejects.toMatchObject({ code: ErrorCodes.MethodNotFound })
    const source = new CancellationTokenSource()
    const pending = client.sendRequest('until-cancelled', source.token)
    source.cancel()
    await expect(pending).rejects.toMatchObject({ code: RPC.requestCancelled })
  })

  it('asks back within a request, many at once, answered in any order', async () => {
    const { client } = pair()
    const held: (() => void)[] = []
    client.onRequest('client/ask', ({ n }: { n: number }) => new Promise((resolve) => {
      held.push(() => resolve(n * 2))
      if (held.length === 50) held.reverse().forEach((answer) => answer())
    }))
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => client.sendRequest('ask', { n })))
    expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => n * 2))
  })

  it('passes on what the client answers as an error', async () => {
    const { client, server } = pair()
    await expect(server.request('nobody/home')).rejects.toMatchObject({ name: 'RpcError', code: RPC.methodNotFound })
    client.dispose()
  })

  it('loses and doubles nothing of 5,000 requests sent at once', async () => {
    const { client } = pair()
    const answers = await Promise.all(Array.from({ length: 5000 }, (_, n) => client.sendRequest('echo', { n })))
    expect(answers).toEqual(Array.from({ length: 5000 }, (_, n) => ({ n })))
  })
})

describe('our own requests', () => {
  it('are given up after their time, and a late answer is no answer to another', async () => {
    const wire = opened()
    const slow = wire.connection.request('slow', {}, { timeoutMs: 20 })
    await expect(slow).rejects.toMatchObject({ code: RPC.requestCancelled, message: 'slow was not answered within 0.02 s' })
    await wire.answered(2)
    expect(wire.answers).toMatchObject([{ method: 'slow', id: 1 }, { method: '$/cancelRequest', params: { id: 1 } }])
    wire.input.write(frame('{"jsonrpc":"2.0","id":1,"result":"late"}'))
    const next = wire.connection.request('next')
    wire.input.write(frame('{"jsonrpc":"2.0","id":2,"result":"now"}'))
    expect(await next).toBe('now')
    expect(wire.problems).toEqual([])
  })

  it('are answered once: the second answer is told as a problem', async () => {
    const wire = opened()
    const asked = wire.connection.request('ask')
    for (const result of ['"first"', '"second"']) wire.input.write(frame(`{"jsonrpc":"2.0","id":1,"result":${result}}`))
    expect(await asked).toBe('first')
    await until(() => wire.problems.length > 0)
    expect(wire.problems).toEqual([{ kind: 'unexpected-answer', message: 'An answer to no open request: id 1' }])
  })

  it('are rejected when the answer is none, and when the other side has gone', async () => {
    const wire = opened()
    const asked = wire.connection.request('ask')
    wire.input.write(frame('{"jsonrpc":"2.0","id":1,"error":"no"}'))
    await expect(asked).rejects.toMatchObject({ message: 'The answer is an error without code and message' })
    const lost = wire.connection.request('ask')
    // Whoever asks on behalf of a request gives up with it; there is nobody left to tell then.
    const printed = vi.spyOn(console, 'error')
    wire.input.write(frame('{"jsonrpc":"2.0","id":1,"method":"ask-patiently"}'))
    await setImmediate()
    wire.input.end()
    await expect(lost).rejects.toMatchObject({ message: 'The connection ended before ask was answered' })
    await wire.connection.closed
    expect(printed.mock.calls).toEqual([])
    printed.mockRestore()
    await expect(wire.connection.request('ask')).rejects.toMatchObject({ code: RPC.requestCancelled })
  })
})

describe('limits', () => {
  it('refuses requests beyond those in flight, and hears a cancellation all the same', async () => {
    const wire = opened({ maxInFlight: 2 })
    for (const id of [1, 2, 3]) wire.input.write(request(id, 'until-cancelled'))
    wire.input.write(frame('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'))
    await wire.answered(2)
    expect(wire.answers).toMatchObject([{ id: 3, error: { code: RPC.serverBusy } }, { id: 1, error: { code: RPC.requestCancelled } }])
    expect(wire.connection.inFlight).toBe(1)
  })

  it('reads no further while the other side does not read', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const connection = connect({ input, output, methods: testMethods() })
    open.push(connection)
    let taken = 0
    for (let id = 0; id < 50; id++) {
      const message = { jsonrpc: '2.0', id, method: 'echo', params: ['x'.repeat(1_000_000)] }
      input.write(frame(JSON.stringify(message)), () => { taken += 1 })
    }
    for (let turn = 0; turn < 500; turn++) await setImmediate()
    expect(taken).toBeLessThan(20)
    output.resume()
    await until(() => taken === 50)
  })

  it('gives the connection up when far too much waits', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const problems: string[] = []
    const connection = connect({ input, output, methods: {
      requests: { big: () => 'x'.repeat(400_000) } }, maxQueuedBytes: 1_000_000, onProblem: ({ message }) => problems.push(message),
    })
    open.push(connection)
    for (const id of [1, 2, 3, 4]) input.write(request(id, 'big'))
    await connection.closed
    expect(problems[0]).toMatch(/^The other side does not read/)
  })

  it('answers with an error where the result is too large, or has no form in JSON', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const requests = { large: () => 'x'.repeat(2000), circle: () => circle, big: () => 10n, nothing: () => undefined }
    const wire = opened({ maxMessageBytes: 1000, methods: { requests } })
    for (const [id, method] of Object.keys(requests).entries()) wire.input.write(request(id, method))
    await wire.answered(4)
    expect(wire.answers).toMatchObject([
      { id: 0, error: { code: RPC.requestFailed, message: 'The answer has 2036 bytes; it must be smaller than 1000' } },
      { id: 1, error: { code: RPC.internalError } }, { id: 2, error: { code: RPC.internalError } }, { id: 3, result: null },
    ])
  })
})

it('aborts what runs when the other side goes, and lets it say what it did', async () => {
  const wire = opened()
  wire.input.write(request(1, 'until-cancelled'))
  await until(() => wire.connection.inFlight === 1)
  wire.input.end()
  await wire.connection.closed
  await wire.answered(1)
  expect(wire.answers).toMatchObject([{ id: 1, error: { code: RPC.requestCancelled } }])
})

it('tells of an input that ends within a message, and of notifications that fail', async () => {
  const wire = opened({ methods: { requests: {}, notifications: { bad: () => { throw new Error('no') } } } })
  wire.input.write(frame('{"jsonrpc":"2.0","method":"bad"}'))
  wire.input.end('Content-Length: 10\r\n\r\n{')
  await wire.connection.closed
  expect(wire.problems.map(({ message }) => message).toSorted()).toEqual([
    'The input ended within a message', 'bad: Internal error: no',
  ])
})

function opened(options: Parameters<typeof openWire>[0] = {}): Wire {
  const wire = openWire(options)
  open.push(wire.connection)
  return wire
}

function pair(): { client: ReturnType<typeof createMessageConnection>; server: Connection } {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const server = connect({ input: there, output: back, methods: testMethods() })
  const client = createMessageConnection(back, there)
  client.listen()
  open.push(server)
  return { client, server }
}

function request(id: number, method: string): Buffer {
  return frame(JSON.stringify({ jsonrpc: '2.0', id, method }))
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}
