import { shownName } from './file-names.js'

const MOST = 10

/** The first ten of several names in one line, and how many more there are: `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : ''
  return names.slice(0, MOST).map(shownName).join(', ') + more
}
