import { caught } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'

/** Address and login of a queue's server. */
export interface QueuePlace {
  /** Its name in messages: without user and password. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly db: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly isEncrypted: boolean
}

/** Environment variable for a password that must not appear in the process list. */
const PASSWORD = 'HERMES_QUEUE_PASSWORD'
const HINT = `Write redis://host:6379/0 or rediss://user:password@host:6380/0; the password may stand in ${PASSWORD}.`

/**
 * Parses the address of a queue. No message repeats it, since it may contain a password.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function queuePlace(
  written: string, env: Readonly<Record<string, string | undefined>> = process.env,
): QueuePlace {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '') {
    throw usageError('--queue is not the address of a Redis server', HINT)
  }
  const db = /^\/?(\d{1,4})?\/?$/.exec(url.pathname)?.[1] ?? (/^\/?$/.test(url.pathname) ? '0' : undefined)
  if (db === undefined) throw usageError('--queue names no database by its number', HINT)
  const [username, password] = [decoded(url.username), decoded(url.password) || env[PASSWORD]]
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? 6379 : Number(url.port)
  return {
    name: `${url.protocol}//${url.hostname}:${port}/${db}`, host, port, db: Number(db),
    isEncrypted: url.protocol === 'rediss:', username: username || undefined, password: password || undefined,
  }
}

function decoded(part: string): string {
  return caught(URIError, () => decodeURIComponent(part), () => {
    throw usageError('--queue has a % in its user or password that stands for nothing', 'Write it as %25.')
  })
}
