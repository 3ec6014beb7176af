import { createHash } from 'node:crypto'
import type { Transcript } from './transcript-model.js'

/**
 * What a transcript is known by, wherever it stands and whatever it is called: SHA-256 over its turns and what it says
 * of how they ran, in hex. Where a result stands in its record is no part of it.
 */
export function contentHash(
  {
    turns, tools, root, rootAliases, settings,
  }: Pick<Transcript, 'turns' | 'tools' | 'root' | 'rootAliases' | 'settings'>,
): string {
  const said = turns.map((turn) => (
    turn.role === 'results'
      ? { ...turn, results: turn.results.map((result) => ({ ...result, place: undefined })) } : turn
  ))
  return createHash('sha256').update(JSON.stringify({ turns: said, tools, root, rootAliases, settings })).digest('hex')
}
