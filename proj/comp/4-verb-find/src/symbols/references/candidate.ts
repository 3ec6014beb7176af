import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import type { LanguageId } from '../../../../2-syntax/src/index.js'
import type { WorkTime } from './work-time.js'

/** A place in a source file where a name stands. */
export interface NamePlace {
  path: ApprovedPath
  language: LanguageId
  /** From 1, the column in UTF-16 units. */
  line: number
  column: number
}

/** What is known of a place where a name stands that may mean a definition. */
export type Verdict =
  /** It means that definition. */
  | 'resolved'
  /** It has the same name; what it means is not known. */
  | 'by name'
  /** It means something else. */
  | 'unrelated'
  /** It has the same name; there was no time to find out what it means. */
  | 'undecided'

/**
 * Verdicts by `placeKey`, and further places that mean the definitions: under another name, or where no identifier is
 * seen.
 */
export interface Verdicts {
  verdicts: ReadonlyMap<string, Verdict>
  renamed: readonly (NamePlace & { name?: string })[]
  /** Why only names were compared. */
  onlyByName?: string
}

/** The verdicts on places, one after the other until the time is over. @throws HermesError `CANCELLED` */
export async function judged(
  places: readonly NamePlace[], time: WorkTime, verdictOn: (place: NamePlace) => Verdict,
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>()
  for (const [index, place] of places.entries()) {
    if (index % 50 === 0) await time.rest()
    verdicts.set(placeKey(place), time.isOver ? 'undecided' : verdictOn(place))
  }
  return verdicts
}

export function placeKey({ path, line, column }: Pick<NamePlace, 'path' | 'line' | 'column'>): string {
  return `${line}:${column} ${path}`
}
