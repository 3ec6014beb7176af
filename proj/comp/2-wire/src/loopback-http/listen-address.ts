import { HermesError } from '../../../0-contracts/src/index.js'

export interface ListenAddress {
  host: '127.0.0.1' | '::1'
  /** 0: any free port. */
  port: number
}

const HOSTS: Readonly<Record<string, ListenAddress['host']>> = {
  '127.0.0.1': '127.0.0.1', localhost: '127.0.0.1', '[::1]': '::1',
}

/**
 * Reads `127.0.0.1:8765`, `localhost:8765`, `[::1]:8765` or `8765` alone (127.0.0.1).
 *
 * @throws HermesError `INVALID_OPTION` for anything else: what listens runs commands, so only this machine reaches it
 */
export function readListenAddress(text: string): ListenAddress {
  const [, name = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const host = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined
  const port = digits === '' ? NaN : Number(digits)
  if (host !== undefined && port <= 65_535) return { host, port }
  throw new HermesError('INVALID_OPTION', `Invalid address: ${text}`, {
    hint: host === undefined
      ? 'Only this machine can be served: write 127.0.0.1:PORT, localhost:PORT or [::1]:PORT. '
        + 'For another machine use a tunnel (ssh -L).'
      : 'Write 127.0.0.1:PORT with a port from 0 (any free one) to 65535.',
  })
}
