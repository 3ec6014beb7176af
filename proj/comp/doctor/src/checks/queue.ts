import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isNodeError } from '../../../contracts/src/index.js'
import type { Check, Finding } from '../finding.js'

const id = 'queue'
const title = 'Redis'
const TIMEOUT_MS = 5000
const PASSWORD = 'HERMES_QUEUE_PASSWORD'

/** Whether the Redis server of a queue answers. Nothing is written to it, and no message repeats the password. */
export const checkQueue: Check = async ({ queue, signal }) => {
  if (queue === undefined) return []
  const url = URL.parse(queue)
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    return [problem('its address is none', 'Write redis://host:6379/0, or rediss:// for TLS.')]
  }
  const place = `${url.hostname}:${url.port === '' ? 6379 : url.port}`
  const replies = await ask(url, signal)
  if (typeof replies === 'string') {
    return [problem(`${place}: ${replies}`, `Start the server (redis-server), or correct the address; the password may stand in ${PASSWORD}.`)]
  }
  const refused = replies.find((line) => line.startsWith('-'))
  if (refused !== undefined) {
    return [problem(`${place} refuses: ${refused.slice(1)}`, `Give user and password in the address, or the password in ${PASSWORD}.`)]
  }
  return [{ id, status: 'ok', title, detail: `${place} answers` }]
}

function problem(detail: string, fix: string): Finding {
  return { id, status: 'problem', title, detail, fix }
}

/** The lines the server replies to a greeting and a PING, or why there are none. */
function ask(url: URL, signal: AbortSignal): Promise<readonly string[] | string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const place = { host, port: url.port === '' ? 6379 : Number(url.port) }
  const password = decodeURIComponent(url.password) || process.env[PASSWORD]
  const user = decodeURIComponent(url.username)
  const commands = [...(password === undefined || password === '' ? [] : [['AUTH', ...(user === '' ? [] : [user]), password]]), ['PING']]
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
    socket.on('data', (data) => {
      text += data.toString('latin1')
      const lines = text.split('\r\n').slice(0, -1)
      if (lines.length >= commands.length) end(lines)
    })
    socket.write(commands.map((words) => (
      `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
    )).join(''))
  })
}
