import { caughtLater } from '../../../../0-contracts/src/index.js'
import { FilterFailed, filteredFile, type GitOutput } from '../../../../2-git/src/index.js'

/**
 * Has git look at files though the filter of some fails, or may not run: such a filter is switched off then, and the
 * files that have it count as they are on disk. For looks alone: what is committed goes through all filters.
 *
 * @param look runs git with these settings before the command
 * @throws as `look`, for what is no failure of a filter
 */
export async function pastFilters(look: (settings: readonly string[]) => Promise<GitOutput>): Promise<GitOutput> {
  const off = new Set<string>()
  for (;;) {
    const settings = [...off].flatMap((filter) => (
      ['clean=', 'process=', 'required=false'].flatMap((value) => ['-c', `filter.${filter}.${value}`])
    ))
    const result = await caughtLater(FilterFailed, () => look(settings), (error) => error)
    const at = result instanceof FilterFailed ? result.at : result.exitCode !== 0 && filteredFile(result.stderr)
    if (at && !off.has(at.filter)) off.add(at.filter)
    else if (result instanceof FilterFailed) throw result
    else return result
  }
}
