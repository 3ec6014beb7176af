import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { anthropicWire } from './wire-anthropic.js'
import { chatWire } from './wire-chat.js'
import { responsesWire } from './wire-responses.js'

/** What a model says in one turn. */
export interface Turn {
  text?: string
  /** `arguments` as written: it need not be JSON. */
  calls?: { id: string; name: string; arguments: string }[]
  /** It ran into the limit of tokens. */
  isCut?: true
}

/** How requests are read and turns are sent by one interface. */
export interface Wire {
  /** What is wrong with a request, as the real service would refuse it. */
  problem(body: Body): string | undefined
  /** How many turns of the model the request has already. */
  turns(body: Body): number
  whole(turn: Turn): object
  /** Lines of the event stream. */
  stream(turn: Turn): string[]
}

export interface Body {
  model: string
  stream?: boolean
  tools?: unknown[]
  messages?: Record<string, unknown>[]
  input?: unknown
  [field: string]: unknown
}

export interface ModelServer {
  readonly url: string
  /** Plays a conversation to whoever asks for this model. */
  play(model: string, turns: readonly Turn[]): void
  /** Bodies of the requests for a model. */
  requests(model: string): Body[]
}

const WIRES: Record<string, Wire> = {
  '/v1/chat/completions': chatWire, '/v1/responses': responsesWire, '/v1/messages': anthropicWire,
}

/** A server on loopback that speaks the wire formats of OpenAI and Anthropic, for the tests of one file. */
export function useModelServer(): ModelServer {
  const plays = new Map<string, readonly Turn[]>()
  const bodies = new Map<string, Body[]>()
  const server = createServer((request, response) => void answer(request, response))
  let url = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wire = WIRES[request.url ?? '']
    const body = await readJson(request) as Body
    bodies.set(body.model, [...bodies.get(body.model) ?? [], body])
    const turn = wire && plays.get(body.model)?.[wire.turns(body)]
    const problem = wire ? wire.problem(body) : `Unknown address ${request.url}`
    if (!wire || !turn || problem !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: problem ?? 'The play is over' } }))
    } else if (body.stream === true) {
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
    requests: (model) => bodies.get(model) ?? [],
  }
}

/** The names that a tool may have. */
export function badName(names: readonly unknown[]): string | undefined {
  const bad = names.find((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
  return bad === undefined ? undefined : `Invalid tool name: ${String(bad)}`
}

/** Both ends of a text, as pieces of a stream. */
export function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
