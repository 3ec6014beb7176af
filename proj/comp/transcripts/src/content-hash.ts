import { createHash } from 'node:crypto'
import type { Transcript } from './model.js'

/**
 * What a transcript is known by, wherever it stands and whatever it is called: SHA-256 over its turns, in hex. Where a
 * result stands in its record is no part of it.
 */
export function contentHash({ turns, root, rootAliases }: Pick<Transcript, 'turns' | 'root' | 'rootAliases'>): string {
  const content = JSON.stringify({ turns, root, rootAliases }, (key, value: unknown) => (key === 'place' ? undefined : value))
  return createHash('sha256').update(content).digest('hex')
}
