import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { connect, RPC, type Connection, type Problem } from '../../src/json-rpc/index.js'
import { frame, testMethods } from './wire.js'

const open: Connection[] = []
afterEach(() => {
  for (const connection of open.splice(0)) connection.close()
})

describe('an id that is no number of JavaScript', () => {
  it.each(['9007199254740993', '-18446744073709551616', '1e400', '0.10000000000000000001'])('comes back as it was written: %s', async (id) => {
    const { send, until } = spoken()
    send(`{"jsonrpc":"2.0","id":${id},"method":"echo","params":{"text":"\\"id\\":${id}"}}`)
    expect(await until(1)).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{"text":"\\"id\\":${id}"}}`])
  })

  it('does so where its name is written by numbers, and where a text quotes one', async () => {
    const { send, until } = spoken()
    const quoted = String.raw`"\"id\":9007199254740995 \\"`
    send(String.raw`{"jsonrpc":"2.0","\u0069\u0064":9007199254740993,"method":"echo","params":{"id":1e2,"text":${quoted}}}`)
    expect(await until(1)).toEqual([`{"jsonrpc":"2.0","id":9007199254740993,"result":{"id":100,"text":${quoted}}}`])
  })

  it('names the request in what a handler tells of it, and in a cancellation', async () => {
    const { send, until } = spoken()
    send('{"jsonrpc":"2.0","id":9007199254740993,"method":"until-cancelled"}')
    send('{"jsonrpc":"2.0","id":9007199254740992,"method":"until-cancelled"}')
    send('{"jsonrpc":"2.0","id":9007199254740995,"method":"told"}')
    send('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9007199254740993}}')
    expect((await until(3)).toSorted()).toEqual([
      `{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":${RPC.requestCancelled},"message":"Cancelled"}}`,
      '{"jsonrpc":"2.0","id":9007199254740995,"result":null}',
      '{"jsonrpc":"2.0","method":"about","params":{"request":9007199254740995}}',
    ])
  })
})

describe('a message that is too large', () => {
  it('is refused alone, and counts as no lost bytes', async () => {
    const { send, until, lost, problems } = spoken(1000)
    send(`{"jsonrpc":"2.0","id":7,"method":"echo","params":["${'x'.repeat(5000)}"]}`)
    send('{"jsonrpc":"2.0","id":8,"method":"echo"}')
    expect((await until(2)).map((answer) => (JSON.parse(answer) as { id: unknown }).id)).toEqual([7, 8])
    expect({ lost: lost(), problems }).toEqual({ lost: 0, problems: [
      { kind: 'too-large', message: 'A message must be smaller than 1000 bytes; this one has 5054' },
    ] })
  })

  it('that answers us is an answer: whoever asked is told', async () => {
    const { send, connection } = spoken(1000)
    const asked = connection.request('client/ask')
    send(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}`)
    await expect(asked).rejects.toMatchObject({ message: 'A message must be smaller than 1000 bytes; this one has 5036' })
  })
})

function spoken(maxMessageBytes = 64_000_000) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const problems: Problem[] = []
  let [written, lost] = ['', 0]
  output.on('data', (chunk: Buffer) => { written += chunk.toString() })
  const methods = testMethods()
  const connection = connect({
    input, output, maxMessageBytes, onProblem: (problem) => problems.push(problem), onLost: (bytes) => { lost += bytes },
    methods: { ...methods, requests: { ...methods.requests, told: async (_, { id, peer }) => peer.notify('about', { request: id }) } },
  })
  open.push(connection)
  const bodies = (): string[] => written.split(/Content-Length: \d+\r\n\r\n/).slice(1)
  return {
    connection, problems, lost: () => lost,
    send: (json: string) => void input.write(frame(json)),
    async until(count: number): Promise<string[]> {
      while (bodies().length < count) await setImmediate()
      return bodies()
    },
  }
}
