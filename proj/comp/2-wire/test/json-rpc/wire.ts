import { PassThrough } from 'node:stream'
import { StreamMessageReader, type Message } from 'vscode-jsonrpc/node'
import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'
import { checkedParams, connect, type Connection, type Methods, type Problem } from '../../src/json-rpc/index.js'

/** The bytes of one line of a `wire` fence. */
export function bytesOfLine(line: string): Buffer {
  const [kind = ''] = line.split(' ', 1)
  const text = line.slice(kind.length + 1)
  if (kind === 'frame') return frame(text)
  if (kind === 'zeros') return Buffer.alloc(Number(text), '0')
  const bytes = text.replace(/\\(?:([rnt])|x([0-9a-f]{2}))/g, (_, letter: string | undefined, hex: string | undefined) => (
    letter === undefined ? String.fromCharCode(parseInt(hex ?? '', 16)) : { r: '\r', n: '\n', t: '\t' }[letter] ?? ''
  ))
  return Buffer.from(bytes, 'latin1')
}

export function frame(json: string): Buffer {
  return Buffer.from(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`)
}

export function testMethods(): Methods {
  let count = 0
  return {
    requests: {
      echo: (params) => params,
      counted: () => count,
      checked: checkedParams(v.strictObject({ name: v.string() }), ({ name }) => name),
      fail() {
        throw new HermesError('ENOENT', 'It failed', { hint: 'Try another.' })
      },
      'until-cancelled': (_, { signal }) => new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason as Error)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
      'ask-patiently': async (_, { peer, signal }) => peer.request('client/ask', undefined, { signal }),
      ask: async (params, { peer }) => peer.request('client/ask', params as object),
    },
    notifications: {
      count() {
        count += 1
      },
    },
  }
}

/** A connection whose other end speaks bytes; answers are read by `vscode-jsonrpc`. */
export interface Wire {
  connection: Connection
  input: PassThrough
  output: PassThrough
  answers: Message[]
  problems: Problem[]
  /** Resolves when so many answers have come. */
  answered(count: number): Promise<void>
}

export function openWire(options: Partial<Parameters<typeof connect>[0]> = {}): Wire {
  const input = new PassThrough()
  const output = new PassThrough()
  const answers: Message[] = []
  const problems: Problem[] = []
  let waiting: { count: number; resolve: () => void } | undefined
  new StreamMessageReader(output).listen((message) => {
    answers.push(message)
    if (waiting && answers.length >= waiting.count) waiting.resolve()
  })
  const connection = connect({ input, output, methods: testMethods(), onProblem: (problem) => problems.push(problem), ...options })
  const answered = (count: number): Promise<void> => new Promise((resolve) => {
    if (answers.length >= count) return resolve()
    waiting = { count, resolve }
  })
  return { connection, input, output, answers, problems, answered }
}
