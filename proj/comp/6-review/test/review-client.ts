import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { readListenAddress } from '../../2-wire/src/loopback-http/index.js'
import {
  applyPatch, serveReview, type PageFiles, type ReviewEnd, type ReviewMessage, type ReviewState, type ServeReviewOptions, type Update,
} from '../src/index.js'

export interface TestReview {
  url: string
  port: number
  token: string
  ended: Promise<ReviewEnd>
  /** As Ctrl-C does. */
  interrupt(): void
  ask(asked: Asked): Promise<Answered>
  send(message: ReviewMessage): Promise<Answered>
  /** Another page that looks. */
  watch(): Promise<Watcher>
}

export interface Asked {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface Answered {
  status: number
  headers: IncomingMessage['headers']
  text: string
  json: { error?: { code: string; message: string } } & Record<string, unknown>
}

export interface Watcher {
  readonly state: ReviewState
  readonly updates: readonly Update[]
  /** Waits until the state is so. */
  until(isSo: (state: ReviewState) => boolean): Promise<ReviewState>
  /** Resolves when the server ended it. */
  readonly closed: Promise<void>
  leave(): void
}

const NO_PAGE: PageFiles = { script: '/* script */', style: '/* style */' }

/** A review that is served until the test ends. */
export async function startReview(
  options: Pick<ServeReviewOptions, 'text' | 'run'> & Partial<ServeReviewOptions>,
): Promise<TestReview> {
  const interrupt = new AbortController()
  let listening: (url: string) => void = () => undefined
  const address = new Promise<string>((resolve) => {
    listening = resolve
  })
  const ended = serveReview({
    title: 'answer.md', address: readListenAddress('0'), page: NO_PAGE, signal: interrupt.signal, ...options,
    run: { policy: false, ...options.run }, onListening: listening,
  })
  onTestFinished(async () => {
    interrupt.abort()
    await ended
  })
  const url = await address
  const { port: portText, hash } = new URL(url)
  const [port, token] = [Number(portText), hash.slice(1)]
  const ask = (asked: Asked): Promise<Answered> => askServer(port, token, asked)
  return {
    url, port, token, ended, ask,
    interrupt: () => interrupt.abort(),
    send: (message) => ask({
      method: 'POST', path: '/api/messages', headers: { 'content-type': 'application/json' }, body: JSON.stringify(message),
    }),
    watch: () => watch(port, token),
  }
}

function headersOf(port: number, token: string, headers: Record<string, string>): Record<string, string> {
  const all = { authorization: `Bearer ${token}`, host: `127.0.0.1:${port}`, ...headers }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

function askServer(port: number, token: string, { method = 'GET', path = '/', headers = {}, body }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: headersOf(port, token, headers) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type'] === 'application/json'
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: isJson ? JSON.parse(text) as Answered['json'] : {} })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function watch(port: number, token: string): Promise<Watcher> {
  const updates: Update[] = []
  const waiting = new Set<() => void>()
  let state: ReviewState | undefined
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/api/events', headers: headersOf(port, token, {}) }, resolve)
    request.on('error', reject)
    request.end()
  })
  response.on('error', () => undefined)
  const lines = createInterface({ input: response })
  lines.on('error', () => undefined)
  lines.on('line', (line) => {
    const update = JSON.parse(line) as Update
    updates.push(update)
    if (update.type === 'state') state = update.state
    else if (update.type === 'patch' && state) state = applyPatch(state, update.patch)
    for (const look of waiting) look()
  })
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => resolve())
  })
  const until: Watcher['until'] = (isSo) => new Promise((resolve, reject) => {
    const look = (): void => {
      if (!state || !isSo(state)) return
      waiting.delete(look)
      resolve(state)
    }
    waiting.add(look)
    void closed.then(() => reject(new Error(`It ended before: ${JSON.stringify(state)}`)))
    look()
  })
  await until(() => true)
  return {
    get state() {
      if (!state) throw new Error('There is no state yet')
      return state
    },
    updates, until, closed,
    leave: () => response.destroy(),
  }
}

/** It is shown what would happen. */
export const isShown = ({ phase, previewing }: ReviewState): boolean => phase === 'review' && !previewing
