import type { Redis } from 'ioredis'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { QueuePlace } from './queue-place.js'

/** Prefix of the keys of all queues; the braces keep them on one node of a cluster. */
export const PREFIX = '{hermes}'

const CONNECT_MS = 10_000
/** Suppresses BullMQ's own warnings on standard error; `serverWarnings` words them instead. */
const WITHOUT_ITS_CHECK = { skipVersionCheck: true }
const MOST_WAIT_MS = 2000
const MOST_STARTS = 3

export interface Connection {
  client: Redis
  /** Another connection, which may block while waiting. */
  another(): Redis
  bullmq: typeof import('bullmq')
  /**
   * Creates a BullMQ object that talks to the server. One whose connection is lost while it starts never works again,
   * so another is created then.
   *
   * @throws HermesError `UNREACHABLE`
   */
  begun<Part extends Beginning>(make: () => Part): Promise<Part>
  /** Closes all connections at once, whatever is in progress. */
  close(): void
}

/** A queue, its events, or a worker, while it starts. */
interface Beginning {
  on(event: 'error', listener: () => void): unknown
  waitUntilReady(): Promise<unknown>
  close(): Promise<void>
}

/** Called once when the queue becomes unreachable, and once when it is back. */
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
    // The first connection reports the same errors; without a listener they would end the process.
    client.on('error', () => undefined)
    // A client that was connecting when it was closed connects nonetheless, and would keep the process alive.
    client.on('connect', () => {
      if (isClosed) client.disconnect()
    })
    // BullMQ duplicates clients itself, and leaks these if Redis disappears while closing.
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
      // Once connected, keep reconnecting: a restart of Redis loses nothing.
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

/** Selects the database explicitly, since the client does not report a missing one. */
async function greet(client: Redis, db: number): Promise<void> {
  await client.connect()
  await client.ping()
  await client.select(db)
}

async function begun<Part extends Beginning>(make: () => Part, place: QueuePlace): Promise<Part> {
  for (let left = MOST_STARTS - 1; ; left--) {
    const part = make()
    // The connection reports once that it is lost; each part would repeat it.
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

/** Limits waiting, for a server that accepts connections and never responds. */
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

/** Waits for work to settle, at most `ms` milliseconds. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work.catch(() => undefined), new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

/** Warnings about server settings that may lose jobs, one line each; none where they may not be read. */
export async function serverWarnings(client: Redis, what: string): Promise<string[]> {
  const told = await caughtLater(Error, () => client.info(), () => undefined)
  if (told === undefined) return []
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

/** The system's error code, or the first word of Redis' error (`WRONGPASS`, `NOAUTH`). */
function reasonOf(error: unknown): string {
  if (isNodeError(error)) return error.code
  if (!(error instanceof Error)) return 'no answer'
  return /^(?!ERR\b)([A-Z]{3,20})\b/.exec(error.message)?.[1]
    ?? error.message.replace(/^ERR /, '').replace(/[^ -~]/g, '?').slice(0, 100)
}
