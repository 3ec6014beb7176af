import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { asciiHost, isAddress, isNodeError, namesHost, splitHost } from '../../../0-contracts/src/index.js'
import { isPublic } from './public-address.js'

/** Addresses of a name. @throws Node's error where it has none */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Where a request goes. */
export interface Target {
  /** As the client wrote it, for `Host`. */
  authority: string
  host: string
  port: number
  /** Each was looked at: no other may be connected to, so the name is not resolved again. */
  addresses: readonly string[]
}

/** Why nothing is connected to. */
export interface Refused {
  status: 400 | 403 | 502
  reason: string
  /** What was asked for and the list does not let pass, for the command's result. */
  denied?: { host: string; why: 'unnamed' | 'private' }
}

/** The system's own resolver, with `/etc/hosts`. */
export const systemResolve: Resolve = async host => (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * What a client asks for is held against the list before any name is resolved.
 *
 * @param authority `host:port` of CONNECT, or of an absolute URL
 * @param usualPort where it names none; `undefined`: it has to
 */
export async function checkedTarget(
  authority: string, usualPort: number | undefined, hosts: readonly string[], resolve: Resolve,
): Promise<Target | Refused> {
  const { host, port = usualPort } = splitHost(authority) ?? {}
  if (host === undefined || port === undefined) return { status: 400, reason: 'the request names no host' }
  const shown = shownTarget(host, port)
  if (!namesHost(hosts, host, port)) {
    return { status: 403, reason: `${shown} is not named by --network`, denied: { host: shown, why: 'unnamed' } }
  }
  if (isAddress(host)) return { authority, host, port, addresses: [host] }
  let resolved: readonly string[]
  try {
    resolved = await resolve(host)
  } catch (error) {
    if (!isNodeError(error)) throw error
    return { status: 502, reason: `${host} could not be resolved (${error.code})` }
  }
  const own = ownAddresses()
  const addresses = resolved.filter(address => (
    (isPublic(address) && !own.has(address)) || namesHost(hosts, asciiHost(address) ?? '', port)
  ))
  if (addresses.length > 0) return { authority, host, port, addresses }
  const why = 'leads to an address of this machine or of a private network, which --network does not name'
  return { status: 403, reason: `${shown} ${why}`, denied: { host: shown, why: 'private' } }
}

function shownTarget(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return port === 80 || port === 443 ? host : `${name}:${port}`
}

/** What listens on all addresses of this machine is reached by its public ones too. */
function ownAddresses(): Set<string> {
  return new Set(Object.values(networkInterfaces()).flatMap(all => (all ?? []).map(({ address }) => address)))
}
