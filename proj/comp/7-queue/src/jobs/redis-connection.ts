import type { Redis } from 'ioredis'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { QueuePlace } from './queue-place.js'

/** What the keys of all queues begin with; the braces keep them on one node of a cluster. */
export const PREFIX = '{hermes}'

const CONNECT_MS = 10_000
/** BullMQ would print what it thinks of the server to standard error; `serverWarnings` says it in words of ours. */
const WITHOUT_ITS_CHECK = { skipVersionCheck: true }
const MOST_WAIT_MS = 2000
const MOST_STARTS = 3

export interface Connection {
  client: Redis
  /** One that may wait for something, and block. */
  another(): Redis
  bullmq: typeof import('bullmq')
  /**
   * Makes something of BullMQ that asks the server. One whose connection is lost while it begins never works again, so
   * that another is made.
   *
   * @throws HermesError `UNREACHABLE`
   */
  begun<Part extends Beginning>(make: () => Part): Promise<Part>
  /** At once, whatever is under way. */
  close(): void
}

/** A queue, its events, or a worker, before they are used. */
interface Beginning {
  on(event: 'error', listener: () => void): unknown
  waitUntilReady(): Promise<unknown>
  close(): Promise<void>
}

/** Told once when the queue goes away, and once when it is back. */
export type OnNotice = (notice: string) => void

/** @throws HermesError `UNREACHABLE` */
export async function connect(place: QueuePlace, onNotice: OnNotice): Promise<Connection> {
  const bullmq = await import('bullmq')
  const { Redis } = await import('ioredis')
  const { host, port, db, username, password, isEncrypted } = place
  const clients: Redis[] = []
  let isConnected = false
  let isAway = false
  let isClosed = false
  const kept = (client: Redis): Redis => {
    // What it says the first one says too; without a listener it would end the process.
    client.on('error', () => undefined)
    // One that was about to connect when it was told to end connects all the same, and would keep the process alive.
    client.on('connect', () => {
      if (isClosed) client.disconnect()
    })
    // BullMQ makes some of its own from these, and loses them where Redis goes away as it closes.
    const duplicate = client.duplicate.bind(client)
    client.duplicate = (...given) => kept(duplicate(...given))
    clients.push(client)
    return client
  }
  const open = (): Redis => (
    kept(new Redis({
      host, port, db, ...(username !== undefined && { username }), ...(password !== undefined && { password }),
      ...(isEncrypted && { tls: {} }), ...WITHOUT_ITS_CHECK,
      lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: CONNECT_MS,
      // Once it was there it will be again: a restart of Redis loses nothing.
      retryStrategy: (times) => (isConnected && !isClosed ? Math.min(times * 100, MOST_WAIT_MS) : null),
    }))
  )
  const first = open()
  let failure: Error | undefined
  first.on('error', (error: Error) => {
    failure = error
    if (!isConnected || isAway || isClosed) return
    isAway = true
    onNotice(`The queue ${place.name} is away (${reasonOf(error)}); waiting for it.`)
  })
  first.on('ready', () => {
    if (isAway) onNotice(`The queue ${place.name} is back.`)
    isAway = false
  })
  try {
    await inTime(greet(first, db))
  } catch (error) {
    first.disconnect()
    throw unreachable(place, failure ?? error)
  }
  isConnected = true
  return {
    bullmq,
    client: first,
    another: open,
    begun: (make) => begun(make, place),
    close() {
      isClosed = true
      for (const client of clients) client.disconnect()
    },
  }
}

/** The client keeps to itself that the server does not have the database it chooses. */
async function greet(client: Redis, db: number): Promise<void> {
  await client.connect()
  await client.ping()
  await client.select(db)
}

async function begun<Part extends Beginning>(make: () => Part, place: QueuePlace): Promise<Part> {
  for (let left = MOST_STARTS - 1; ; left--) {
    const part = make()
    // The connection tells once that it is away; each part of it would say so too.
    part.on('error', () => undefined)
    try {
      await inTime(part.waitUntilReady())
      return part
    } catch (error) {
      part.close().catch(() => undefined)
      if (left === 0) throw unreachable(place, error)
    }
  }
}

/** A server that accepts and says nothing is none. */
async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${CONNECT_MS / 1000} s`)), CONNECT_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What of the server's settings may lose jobs: a line each. Whoever may not ask is told nothing. */
export async function serverWarnings(client: Redis, what: string): Promise<string[]> {
  let told: string
  try {
    told = await client.info()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return []
  }
  const of = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(told)?.[1]
  const policy = of('maxmemory_policy')
  return [
    ...(policy !== undefined && policy !== 'noeviction' && Number(of('maxmemory') ?? 0) > 0
      ? [`Redis throws away ${what} when its memory is full (maxmemory-policy ${policy.replace(/[^a-z-]/g, '')}). `
        + 'Set maxmemory-policy noeviction.'] : []),
    ...(of('aof_enabled') === '0'
      ? ['Redis keeps no append-only file: if it stops, what is on the queue is lost. Set appendonly yes.'] : []),
  ]
}

function unreachable({ name }: QueuePlace, error: unknown): HermesError {
  return new HermesError('UNREACHABLE', `The queue ${name} cannot be used (${reasonOf(error)})`, {
    hint: 'Is redis-server running there, and are user and password right?', cause: error,
  })
}

/** The code of the system, or the first word that Redis says (`WRONGPASS`, `NOAUTH`). */
function reasonOf(error: unknown): string {
  if (isNodeError(error)) return error.code
  const said = error instanceof Error ? /^(?!ERR\b)([A-Z]{3,20})\b/.exec(error.message)?.[1] : undefined
  return said
    ?? (error instanceof Error ? error.message.replace(/^ERR /, '').replace(/[^ -~]/g, '?').slice(0, 100) : 'no answer')
}
