import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isNodeError, unlessThrown } from '../../../../0-contracts/src/index.js'
import type { Check, Finding } from '../finding.js'

const id = 'queue'
const title = 'Redis'
const TIMEOUT_MS = 5000
const PASSWORD = 'HERMES_QUEUE_PASSWORD'

/** Replies of Redis to PING: PONG, or an error such as `-NOAUTH …`, `-LOADING …`. */
const REDIS = /^(?:\+PONG|-[A-Z]+ )/
const NO_REDIS = 'it is no Redis server'
const MOST_BYTES = 64 * 1024

interface Login {
  user: string
  /** Empty if there is none. */
  password: string
}

/** Checks that the Redis server of a queue responds. Writes nothing to it, and no message repeats the password. */
export const checkQueue: Check = async ({ queue, signal }) => {
  if (queue === undefined) return []
  const url = URL.parse(queue)
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    return [problem('its address is none', 'Write redis://host:6379/0, or rediss:// for TLS.')]
  }
  const login = loginOf(url)
  if (login === undefined) {
    return [problem('its user or password is not encoded', 'Write % as %25 in user and password.')]
  }
  const place = `${url.hostname}:${url.port === '' ? 6379 : url.port}`
  const replies = await ask(url, login, signal)
  if (typeof replies === 'string') {
    return [problem(
      `${place}: ${replies}`,
      `Start the server (redis-server), or correct the address; the password may stand in ${PASSWORD}.`,
    )]
  }
  const refused = replies.find((line) => line.startsWith('-'))
  if (refused !== undefined) {
    return [problem(
      `${place} refuses: ${refused.slice(1)}`, `Give user and password in the address, or the password in ${PASSWORD}.`,
    )]
  }
  return [{ id, status: 'ok', title, detail: `${place} answers` }]
}

function problem(detail: string, fix: string): Finding {
  return { id, status: 'problem', title, detail, fix }
}

/** The lines that the server replies to a greeting and a PING, or why there are none. */
function ask(url: URL, { user, password }: Login, signal: AbortSignal): Promise<readonly string[] | string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const place = { host, port: url.port === '' ? 6379 : Number(url.port) }
  return new Promise((resolve) => {
    const socket = url.protocol === 'rediss:' ? connectTls({ ...place, servername: host }) : connect(place)
    let text = ''
    const end = (outcome: readonly string[] | string): void => {
      socket.destroy()
      signal.removeEventListener('abort', stop)
      resolve(outcome)
    }
    const stop = (): void => end('cancelled')
    signal.addEventListener('abort', stop)
    socket.setTimeout(TIMEOUT_MS, () => end(`no reply within ${TIMEOUT_MS / 1000} s`))
    socket.on('error', (error) => end(isNodeError(error) ? error.code : error.message))
    socket.on('close', () => end('the connection was closed'))
    let isGreeted = false
    socket.on('data', (data) => {
      text += data.toString('latin1')
      const lines = text.split('\r\n').slice(0, -1)
      const [greeting] = lines
      if (greeting === undefined) return text.length > MOST_BYTES ? end(NO_REDIS) : undefined
      if (!REDIS.test(greeting)) return end(NO_REDIS)
      if (password === '') return end([greeting])
      // Send the password only to a Redis server.
      if (!isGreeted) socket.write(command('AUTH', ...(user === '' ? [] : [user]), password) + command('PING'))
      isGreeted = true
      if (lines.length >= 3) end(lines.slice(1))
    })
    socket.write(command('PING'))
  })
}

function command(...words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

/** @returns `undefined` where the address contains an invalid `%` */
function loginOf({ username, password }: URL): Login | undefined {
  return unlessThrown(URIError, () => ({
    user: decodeURIComponent(username), password: decodeURIComponent(password) || (process.env[PASSWORD] ?? ''),
  }), undefined)
}
