import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptedAnswer } from './script.js'

/** A request as the server got it. */
export interface ModelRequest {
  model: string
  stream?: boolean
  messages: {
    role: string
    content: string | null
    tool_calls?: unknown[]
    tool_call_id?: string
    reasoning_content?: string
  }[]
  tools?: { type: string; function: { name: string } }[]
  [field: string]: unknown
}

export interface ModelServer {
  /** For `baseURL`. */
  readonly url: string
  /** Who asks for this model gets these answers, one a request; then 400 `The play is over`. */
  play(model: string, answers: readonly ScriptedAnswer[]): void
  /** Answers to be made of each request; `undefined` when the play is over. */
  improvise(model: string, answer: (request: ModelRequest, index: number) => ScriptedAnswer | undefined): void
  requests(model: string): readonly ModelRequest[]
  /** Headers of the requests. */
  headers(model: string): readonly IncomingMessage['headers'][]
  /** What the server says of itself at an address, e.g. `/v1/models`; without it 404. */
  say(address: string, document: unknown): void
  /** Requests for such documents: `GET /v1/models`. */
  readonly looks: readonly string[]
  close(): Promise<void>
}

type Play = (request: ModelRequest, index: number) => ScriptedAnswer | undefined

/** A server on loopback that speaks OpenAI's wire format of chat completions; its answers go by the model's name. */
export async function startModelServer(): Promise<ModelServer> {
  const plays = new Map<string, Play>()
  const documents = new Map<string, unknown>()
  const looks: string[] = []
  const seen = new Map<string, { request: ModelRequest; headers: IncomingMessage['headers'] }[]>()
  const server = createServer((request, response) => {
    response.setMaxListeners(0)
    // The client went away: nobody to tell.
    response.on('error', () => undefined)
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const document = documents.get(request.url ?? '')
    if (document !== undefined || request.method !== 'POST') {
      looks.push(`${request.method} ${request.url}`)
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(document ?? {}))
      return
    }
    const body = await readJson(request) as ModelRequest
    const earlier = seen.get(body.model) ?? []
    seen.set(body.model, [...earlier, { request: body, headers: request.headers }])
    const wrong = request.url === '/v1/chat/completions' ? problemOf(body) : `Unknown address ${request.url}`
    const scripted = wrong === undefined ? plays.get(body.model)?.(body, earlier.length) : undefined
    if (!scripted) refuse(response, 400, wrong ?? 'The play is over', {})
    else if (scripted.status !== undefined) refuse(response, scripted.status, scripted.text, scripted.headers)
    else if (scripted.fault === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome to the router</body></html>')
    } else if (body.stream !== true || scripted.fault === 'json') {
      response.writeHead(200, { 'content-type': 'application/json', ...scripted.headers }).end(
        JSON.stringify(whole(scripted, body.model)),
      )
    } else await stream(response, scripted, body)
  }

  // A connection that the server ends just as a client takes it up again is a fault that nobody asked for.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (model, answers) => void plays.set(model, (_, index) => answers[index]),
    improvise: (model, play) => void plays.set(model, play),
    requests: (model) => (seen.get(model) ?? []).map(({ request }) => request),
    say: (address, document) => void documents.set(address, document),
    looks,
    headers: (model) => (seen.get(model) ?? []).map(({ headers }) => headers),
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

/** What a real server refuses: a call without its answer, an answer without its call, a message without content. */
function problemOf({ messages }: ModelRequest): string | undefined {
  const open = new Set<string>()
  for (const { role, content, tool_calls: calls = [], tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (!open.delete(id ?? '')) return `A message with role 'tool' must answer a call: ${id}`
      continue
    }
    if (open.size > 0) return unanswered(open)
    if (content === null && calls.length === 0) return 'A message without content'
    for (const { id: own, function: { name, arguments: args } } of calls as WireCall[]) {
      open.add(own)
      if (!/^[\w-]{1,64}$/.test(name)) return `Invalid 'tool_calls[0].function.name': ${name}`
      // Several servers read the arguments of earlier calls again.
      if (!isObject(args)) return `Invalid 'tool_calls[0].function.arguments': ${args}`
    }
  }
  return open.size > 0 ? unanswered(open) : undefined
}

function unanswered(calls: ReadonlySet<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages: ${[...calls].join(', ')}`
}

interface WireCall {
  id: string
  function: { name: string; arguments: string }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string>): void {
  const [, code] = /^\[(\w+)\]/.exec(message) ?? []
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(
    JSON.stringify({ error: { type: 'invalid_request_error', message, ...(code !== undefined && { code }) } }),
  )
}

function callsOf({ calls }: ScriptedAnswer) {
  return calls.map(({ id, name, arguments: args }, index) => (
    { index, id: id ?? `call_${index + 1}`, type: 'function', function: { name, arguments: args } }
  ))
}

function finishOf({ finish, calls }: ScriptedAnswer): string {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function usageOf({ usage }: ScriptedAnswer) {
  return usage && {
    prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output,
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
  }
}

function whole(answer: ScriptedAnswer, model: string) {
  const calls = callsOf(answer).map(({ id, type, function: called }) => ({ id, type, function: called }))
  const message = {
    role: 'assistant', content: answer.text === '' ? null : answer.text.repeat(answer.times),
    ...(answer.reasoning !== undefined && { reasoning_content: answer.reasoning }), ...(calls.length > 0 && {
      tool_calls: calls,
    }),
  }
  return {
    id: 'chatcmpl-1', object: 'chat.completion', created: 0, model, choices: [
      { index: 0, message, finish_reason: finishOf(answer) },
    ],
    usage: usageOf(answer),
  }
}

async function stream(
  response: ServerResponse, answer: ScriptedAnswer, { model, stream_options: wishes }: ModelRequest,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...answer.headers })
  const send = (data: unknown): boolean => response.write(
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  )
  const chunk = (delta: object, finish: string | null = null) => send({
    id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model, choices: [
      { index: 0, delta, finish_reason: finish },
    ],
  })
  chunk({ role: 'assistant', content: '' })
  for (const delta of answer.deltas ?? []) chunk(delta)
  for (const piece of pieces(answer.reasoning ?? '', answer.chunk)) chunk({ reasoning_content: piece })
  let sent = 0
  for (let time = 0; time < answer.times && !response.destroyed; time++) {
    for (const piece of pieces(answer.text, answer.chunk)) {
      const left = answer.cut === undefined ? piece.length : answer.cut - sent
      const isRoom = chunk({ content: piece.slice(0, left) })
      sent += piece.length
      if (left < piece.length) return breakOff(response)
      if (answer.pauseMs > 0) await sleep(answer.pauseMs)
      if (!isRoom) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve))
      if (response.destroyed) return
    }
  }
  for (const { function: { arguments: args, ...named }, ...call } of callsOf(answer)) {
    chunk({ tool_calls: [{ ...call, function: { ...named, arguments: '' } }] })
    for (const piece of pieces(args, answer.chunk)) chunk({
      tool_calls: [{ index: call.index, function: { arguments: piece } }],
    })
  }
  if (answer.cut !== undefined) return breakOff(response)
  if (answer.fault === 'hang') return
  if (answer.fault === 'garbage') send('{"choices":[{"delta":')
  if (answer.fault === 'error') send({ error: { code: 502, message: 'The model behind this router went away' } })
  if (answer.fault === undefined) chunk({}, finishOf(answer))
  const usage = usageOf(answer)
  if (usage && (wishes as { include_usage?: boolean } | undefined)?.include_usage) {
    send({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model, choices: [], usage })
  }
  if (answer.fault !== 'endless') send('[DONE]')
  response.end()
}

/** What was sent arrives; then the connection is gone. */
async function breakOff(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.write(': cut\n\n', () => resolve()))
  response.destroy()
}

function pieces(text: string, size: number): string[] {
  return Array.from(
    { length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size),
  )
}
