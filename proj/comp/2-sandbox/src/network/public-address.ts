import { BlockList, isIPv6 } from 'node:net'
import { valueAt } from '../../../0-text/src/index.js'

/** Blocks of the special-purpose registries (RFC 6890 and its updates), with multicast and what is reserved. */
const CLOSED_4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4',
]
/** Of all that is assigned: IETF protocols (Teredo, ORCHID, …), documentation, 6to4. */
const CLOSED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
/** All that is assigned for the internet. Mapped IPv4, NAT64, private and link-local addresses lie outside. */
const GLOBAL_6 = ['2000::/3']

/** Made at first use, since few runs reach the network. */
const lists = new Map<readonly string[], BlockList>()

/**
 * Whether an address is one of the internet: not of this machine, a private network, the link, a cloud's metadata
 * (169.254.169.254) or a special use.
 */
export function isPublic(address: string): boolean {
  return isIPv6(address) ? isIn(GLOBAL_6, address, 'ipv6') && !isIn(CLOSED_6, address, 'ipv6')
    : !isIn(CLOSED_4, address, 'ipv4')
}

function isIn(blocks: readonly string[], address: string, family: 'ipv4' | 'ipv6'): boolean {
  return valueAt(lists, blocks, () => listOf(blocks, family)).check(address, family)
}

function listOf(blocks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [network = '', bits] = block.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
