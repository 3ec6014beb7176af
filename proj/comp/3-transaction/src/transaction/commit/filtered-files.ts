import { listed } from '../../../../0-text/src/index.js'
import type { FilterFailed } from '../../../../2-git/src/index.js'

/** What became of files whose filter failed; one line for each filter. */
export function toldOfFiltered(filtered: ReadonlyMap<string, FilterFailed>): string[] {
  return [...new Set([...filtered.values()].map(({ at }) => at.filter))].map((filter) => {
    const left = [...filtered].filter(([, { at }]) => at.filter === filter)
    const [[, { code, message, hint = '' }]] = left as [[string, FilterFailed]]
    const why = code === 'NONZERO_EXIT' ? 'fails' : 'may not run'
    return `Not committed, since the filter ${filter} ${why}: ${listed(left.map(([name]) => name))} `
      + `(${message}). ${hint} The files stay as they are: commit them yourself once it works (git add, git commit)`
  })
}
