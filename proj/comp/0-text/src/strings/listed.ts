import { shownName } from './file-names.js'

/** Names for people (`shownName`), the first `most` of them, and how many more there are: `a, b and 3 more`. */
export function listed(names: readonly string[], most = 10): string {
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return names.slice(0, most).map(shownName).join(', ') + more
}
