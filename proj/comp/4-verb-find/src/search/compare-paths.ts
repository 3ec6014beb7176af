import { compareNames } from '../../../2-files/src/index.js'

/** Name by name, as ripgrep sorts. */
export function comparePaths(a: string, b: string): number {
  return compareNames(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'))
}
