import { createHash } from 'node:crypto'
import type { RecordedResult, Transcript, Turn } from './transcript-model.js'

/**
 * What a transcript is known by, wherever it stands and whatever it is called: SHA-256 over its turns and what it says
 * of how they ran, in hex. Where a result stands in its record is no part of it.
 */
export function contentHash(
  {
    turns, tools, root, rootAliases, settings,
  }: Pick<Transcript, 'turns' | 'tools' | 'root' | 'rootAliases' | 'settings'>,
): string {
  const said = { turns: withoutPlaces(turns), tools, root, rootAliases, settings }
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

/** The turns without the places of results in their record. */
export function withoutPlaces(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => (
    turn.role === 'results' ? { ...turn, results: turn.results.map(withoutPlace) } : turn
  ))
}

function withoutPlace(result: RecordedResult): RecordedResult {
  const { place: _, ...rest } = result
  return rest
}
