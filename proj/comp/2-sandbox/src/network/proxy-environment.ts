import { isAddress, splitHost } from '../../../0-contracts/src/index.js'

/** Where the proxy listens in the sandbox: nothing else is there yet, and it stays the same from run to run. */
export const PROXY_PORT = 3128

/** Servers that commands start are asked directly, except those of the machine that the list names. */
const DIRECT = ['localhost', '127.0.0.1', '::1']

/**
 * What has programs ask the proxy: curl, git, pip, npm, cargo, go and most others look for these; wget and curl for
 * small letters only, and of HTTP_PROXY curl never takes the capitals. Node does from 22.21 and 24 on.
 */
export function proxyEnvironment(hosts: readonly string[]): Record<string, string> {
  const named = new Set(hosts.flatMap(host => splitHost(host)?.host ?? []))
  const direct = DIRECT.filter(host => !named.has(host) && !(isAddress(host) && named.has('localhost'))).join(',')
  const address = `http://127.0.0.1:${PROXY_PORT}`
  const variables = { HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NO_PROXY: direct }
  return {
    ...variables, NODE_USE_ENV_PROXY: '1',
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])),
  }
}
