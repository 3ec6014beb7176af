import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { HermesError } from '../../0-contracts/src/index.js'
import { createToken, refuse, serveLoopback, type ListenAddress, type LoopbackCall } from '../../2-wire/src/index.js'
import { isPagePath, sendPage, type PageFiles } from './page-files.js'
import { MAX_BODY_BYTES, readMessage } from './review-protocol.js'
import { patchBetween, type ReviewState, type Update } from './review-state.js'
import { NotNow, type ReviewEnd, type ReviewOptions } from './review-options.js'
import { ReviewSession } from './review-session.js'

export interface ServeReviewOptions extends ReviewOptions {
  address: ListenAddress
  /** What the browser is given. */
  page: PageFiles
  /** How long nobody may look before the review is cancelled, in milliseconds. Default 5,000. */
  graceMs?: number
  /** @param url of the page, with the token behind `#`: browsers send that part to nobody */
  onListening: (url: string) => void
}

const GRACE_MS = 5000
/** So that a page that has gone without a word is noticed. */
const BEAT_MS = 15_000
const MOST_PAGES = 32
/** A page that reads nothing any more is cut off; it asks for all when it reads again. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024
/** How long the pages have to hear how it ended. */
const FAREWELL_MS = 500

/** Counts who looks; tells when nobody has looked for a while, though somebody did before. */
class Presence {
  #present = 0
  #timer: NodeJS.Timeout | undefined

  /** @param graceMs how long a page may be away: it takes a moment to load again */
  constructor(private readonly graceMs: number, private readonly onAbsence: () => void) {}

  /** @returns to be called once, when that one has gone */
  enter(): () => void {
    this.#present++
    clearTimeout(this.#timer)
    return () => {
      this.#present--
      if (this.#present === 0) this.#timer = setTimeout(this.onAbsence, this.graceMs)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * Serves the review of an answer to this machine's browsers until it ends. Only who has the token reads anything of it
 * or sends anything; the page itself, without content, is for everyone.
 *
 * @throws HermesError `INVALID_OPTION`; `EADDRINUSE` and the like where it cannot listen
 */
export async function serveReview(options: ServeReviewOptions): Promise<ReviewEnd> {
  const token = createToken()
  const session = new ReviewSession(options)
  const presence = new Presence(options.graceMs ?? GRACE_MS, () => session.leave())
  const pages = new Set<ServerResponse>()
  const server = await serveLoopback({
    address: options.address, token, maxBodyBytes: MAX_BODY_BYTES,
    isOpen: ({ method, url = '' }) => method === 'GET' && isPagePath(url),
    handle(call) {
      const { request: { method = '' }, response, url: { pathname } } = call
      if (isPagePath(pathname) && method === 'GET') sendPage(pathname, options.page, response)
      else if (isOfOtherSite(call.request)) refuse(response, {
        status: 403, code: 'FORBIDDEN_ORIGIN', message: 'Only the review page itself may ask',
      })
      else if (pathname === '/api/events' && method === 'GET') watch(call)
      else if (pathname === '/api/messages' && method === 'POST') take(session, call)
      else refuse(response, { status: 404, code: 'NOT_FOUND', message: 'There is no such thing here' })
    },
  })

  function watch({ response }: LoopbackCall): void {
    if (pages.size >= MOST_PAGES) {
      refuse(response, { status: 429, code: 'TOO_MANY_PAGES', message: 'Close another page of this review first' })
      return
    }
    response.writeHead(200, {
      'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff',
    })
    pages.add(response)
    const stop = tellPage(session, response)
    const left = presence.enter()
    response.once('close', () => {
      pages.delete(response)
      stop()
      left()
    })
  }

  try {
    options.onListening(`${server.url}/#${token}`)
    const end = await session.ended
    await Promise.race([Promise.all([...pages].map((page) => farewell(page))), wait(FAREWELL_MS)])
    return end
  } finally {
    presence.stop()
    await server.close()
  }
}

/** Sends the state, then what changes of it, and a beat now and then. @returns what ends that */
function tellPage(session: ReviewSession, page: ServerResponse): () => void {
  let shown = session.state
  const send = (update: Update): void => {
    if (page.writableLength > MOST_UNREAD_BYTES) page.destroy()
    else page.write(`${JSON.stringify(update)}\n`)
  }
  send({ type: 'state', state: shown })
  const stop = session.listen((state: ReviewState) => {
    const patch = patchBetween(shown, state)
    shown = state
    if (patch) send({ type: 'patch', patch })
  })
  const beat = setInterval(() => send({ type: 'beat' }), BEAT_MS)
  return () => {
    clearInterval(beat)
    stop()
  }
}

async function farewell(page: ServerResponse): Promise<void> {
  if (page.writableFinished || page.destroyed) return
  const closed = once(page, 'close')
  page.end()
  await closed
}

/** Browsers say where a request comes from. */
function isOfOtherSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

function take(session: ReviewSession, { request, response, body }: LoopbackCall): void {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    refuse(response, { status: 415, code: 'NOT_JSON', message: 'Messages are application/json' })
    return
  }
  try {
    answer(response, 200, session.handle(readMessage(body)))
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    const { code, message, hint } = error
    answer(
      response, error instanceof NotNow ? 409 : 400, { error: { code, message, ...(hint !== undefined && { hint }) } },
    )
  }
}

function answer(response: ServerResponse, status: number, value: object): void {
  const body = `${JSON.stringify(value)}\n`
  response.writeHead(status, {
    'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
