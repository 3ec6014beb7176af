import { createHash } from 'node:crypto'

const ADDRESS = /^sha256:[0-9a-f]{64}$/

/** What content is known by: `sha256:` and its SHA-256 in hex. */
export function contentAddress(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

export function isContentAddress(written: string): boolean {
  return ADDRESS.test(written)
}

/** Where content lies below a store: 256 directories, so that none gets too large. */
export function contentPath(address: string): string {
  if (!isContentAddress(address)) throw new Error(`not a content address: ${address}`)
  const hex = address.slice('sha256:'.length)
  return `sha256/${hex.slice(0, 2)}/${hex.slice(2)}`
}
