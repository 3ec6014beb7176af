import { textFinder } from '../../../1-edits/src/index.js'

/** Of more copies none tells more. */
const MOST_PLACES = 100

/** The 1-based lines at which `wanted`, which is not empty, stands in `lines`: the first 100. Linear. */
export function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const text = `\n${lines.join('\n')}\n`
  const find = textFinder(text, `\n${wanted.join('\n')}\n`)
  const places: number[] = []
  let line = 1
  let counted = 0
  for (let at = find(0); at !== -1 && places.length < MOST_PLACES; at = find(at + 1)) {
    for (let next = text.indexOf('\n', counted); next < at; next = text.indexOf('\n', next + 1)) line++
    counted = at
    places.push(line)
  }
  return places
}
