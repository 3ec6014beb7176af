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
    const { output, filter } = await attempt(() => look(settings))
    if (filter === undefined || off.has(filter)) return output()
    off.add(filter)
  }
}

/** @returns `output` throws what the look has thrown; `filter`: the one that stood in the way */
async function attempt(
  look: () => Promise<GitOutput>,
): Promise<{ output: () => GitOutput; filter?: string | undefined }> {
  return await caughtLater(FilterFailed, async () => {
    const output = await look()
    return { output: () => output, filter: output.exitCode === 0 ? undefined : filteredFile(output.stderr)?.filter }
  }, (error) => ({ output: () => { throw error }, filter: error.at.filter }))
}
