import type { Filter } from './program-settings.js'

/**
 * What becomes of content filters that only a sandbox may run. `off`: files count as they are, for what only reads;
 * `own`: as git runs them; `refused`: a file that has one is not taken up or written, and git says which; else the
 * settings by which each is held.
 */
export type FilterUse = 'off' | 'own' | 'refused' | HeldFilters

/** Settings that have a sandbox run the programs of a filter. */
export type HeldFilters = (filter: Filter) => readonly (readonly [key: string, value: string])[]

const TOLD = 'hermes: a filter of the repository runs only in a sandbox'
/** Git runs it by a shell, and does not always say itself which program it was that failed. */
const REFUSED = `echo '${TOLD}' >&2; exit 1`

/** Whether git failed since it may not run a filter; then nothing was taken up. */
export function wasRefused({ exitCode, stderr }: { exitCode: number | null; stderr: string }): boolean {
  return exitCode !== 0 && stderr.includes(TOLD)
}

/** Settings for each filter. */
export function filterSettings(
  filters: readonly Filter[], use: FilterUse,
): (readonly [key: string, value: string])[] {
  if (use === 'own') return []
  return filters.flatMap(filter => {
    if (typeof use === 'function') return use(filter)
    const { driver } = filter
    const program = use === 'off' ? '' : REFUSED
    // An empty process would keep git from asking the other two.
    const set = (['clean', 'smudge', 'process'] as const).filter(name => filter[name] !== undefined)
    return [
      ...set.map(name => [`${driver}.${name}`, program] as const),
      [`${driver}.required`, use === 'off' ? 'false' : 'true'] as const,
    ]
  })
}
