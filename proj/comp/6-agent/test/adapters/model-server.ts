import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { anthropicWire } from './wire-anthropic.js'
import { chatWire } from './wire-chat.js'
import { responsesWire } from './wire-responses.js'
import type { Body, Turn, Wire } from './wire.js'

/** What a server sends in place of an answer. */
export interface Failure {
  status: number
  /** The type is that of an event stream where it is one. */
  body: string
}

export interface ModelServer {
  readonly url: string
  /** Plays a conversation to whoever asks for this model. */
  play(model: string, turns: readonly Turn[]): void
  /** Answers requests for this model so, until the play is set again. */
  fail(model: string, answers: readonly Failure[]): void
  /** Bodies of the requests for a model. */
  requests(model: string): Body[]
}

const WIRES: Record<string, Wire> = {
  '/v1/chat/completions': chatWire, '/v1/responses': responsesWire, '/v1/messages': anthropicWire,
}

/** A server on loopback that speaks the wire formats of OpenAI and Anthropic, for the tests of one file. */
export function useModelServer(): ModelServer {
  const plays = new Map<string, readonly Turn[]>()
  const failures = new Map<string, Failure[]>()
  const bodies = new Map<string, Body[]>()
  const server = createServer((request, response) => void answer(request, response))
  let url = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wire = WIRES[request.url ?? '']
    // What it says of its models: nothing.
    if (request.method === 'GET') {
      response.writeHead(404).end()
      return
    }
    const body = await readJson(request) as Body
    bodies.set(body.model, [...bodies.get(body.model) ?? [], body])
    const failure = failures.get(body.model)?.shift()
    const turn = wire && plays.get(body.model)?.[wire.turns(body)]
    const problem = wire ? wire.problem(body) : `Unknown address ${request.url}`
    if (failure) {
      const isStream = failure.body.startsWith('event:')
      response.writeHead(failure.status, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      response.end(failure.body)
    } else if (!wire || !turn || problem !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: problem ?? 'The play is over' } }))
    } else if (body.stream === true && !body.model.startsWith('whole')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      // In pieces that cut through events.
      const bytes = Buffer.from(wire.stream(turn).join(''))
      for (let at = 0; at < bytes.length; at += 150) response.write(bytes.subarray(at, at + 150))
      response.end()
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.whole(turn)))
    }
  }

  beforeAll(async () => {
    // A connection that the server ends just as a client takes it up again is a fault that nobody asked for.
    server.keepAliveTimeout = 600_000
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    get url() {
      return url
    },
    play: (model, turns) => void plays.set(model, turns),
    fail: (model, answers) => void failures.set(model, [...answers]),
    requests: (model) => bodies.get(model) ?? [],
  }
}
