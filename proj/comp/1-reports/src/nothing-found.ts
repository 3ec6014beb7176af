import { plural } from './quantities.js'
import { oneLine } from './safe-text.js'

/** The code fences of a text in which nothing was found. */
export interface FencesFound {
  count: number
  /** The text holds nothing but white space. */
  isBlank?: boolean
  languages: ReadonlySet<string>
}

const MOST_LANGUAGES = 5

/** `3 code fences (sh, python) were read as text.`; nothing where there is none. */
export function fencesAsText(fences: FencesFound | undefined): string[] {
  if (!fences || fences.count === 0) return []
  const names = [...fences.languages].slice(0, MOST_LANGUAGES).map((name) => oneLine(name, 20))
  const left = fences.languages.size - names.length
  const languages = names.length === 0 ? '' : ` (${names.join(', ')}${left > 0 ? ', …' : ''})`
  const were = fences.count === 1 ? 'was' : 'were'
  return [`${plural(fences.count, 'code fence')}${languages} ${were} read as text.`]
}
