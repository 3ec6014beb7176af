import { fullName, type VisibleDefinition, type WantedName } from '../../../2-syntax/src/index.js'
import type { IndexView } from '../../../3-code-index/src/index.js'
import { nameLikeness } from './name-likeness.js'

export const MATCHES = ['exact', 'substring', 'fuzzy'] as const
export type Match = (typeof MATCHES)[number]

/** A name that may be meant, with its distance. */
export interface MatchedName {
  name: string
  /** Distance from the name asked for; 0 for the name itself. */
  distance: number
}

/** Most similar names considered. */
const MOST_NAMES = 20_000

/** The defined names that a call may mean; with `exact` only the name as written. */
export function matchedNames(view: IndexView, { name }: WantedName, match: Match): MatchedName[] {
  if (match === 'exact') return [{ name, distance: 0 }]
  const distanceOf = match === 'substring' ? substringDistance(name) : fuzzyDistance(name)
  return nearest(view, distanceOf, MOST_NAMES)
}

/** The names defined in the view for which `distanceOf` gives a distance, nearest first; others take up no room. */
export function nearest(
  view: IndexView, distanceOf: (name: string) => number | undefined, most: number,
): MatchedName[] {
  const near = [...view.definedNames()].flatMap((name): MatchedName[] => {
    const distance = distanceOf(name)
    return distance === undefined ? [] : [{ name, distance }]
  }).sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
  const names: MatchedName[] = []
  for (const each of near) {
    if (names.length === most) break
    if (view.isDefined(each.name)) names.push(each)
  }
  return names
}

/** Names that differ only in case, for a name in lower case that no definition has (smart case). */
export function namesInAnyCase(view: IndexView, { name }: WantedName): MatchedName[] {
  const wanted = name.toLowerCase()
  const names = [...view.definedNames()].filter((each) => each.toLowerCase() === wanted)
  return names.map((each) => ({ name: each, distance: 0.5 }))
}

/** Capitals in the wanted name must match; without any, case is ignored. */
function substringDistance(wanted: string): (name: string) => number | undefined {
  const isSmart = wanted === wanted.toLowerCase()
  return (name) => {
    const looked = isSmart ? name.toLowerCase() : name
    if (name === wanted) return 0
    if (looked === wanted) return 0.5
    return looked.startsWith(wanted) ? 1 : looked.includes(wanted) ? 2 : undefined
  }
}

function fuzzyDistance(wanted: string): (name: string) => number | undefined {
  const likenessOf = nameLikeness(wanted)
  return (name) => (name === wanted ? 0 : addHalf(likenessOf(name)))
}

function addHalf(distance: number | undefined): number | undefined {
  return distance === undefined ? undefined : distance + 0.5
}

/** Whether a definition with a matched name is in the container given, if any was. */
export function isIn(definition: VisibleDefinition, { name, full }: WantedName, matched: MatchedName): boolean {
  if (full === name || definition.name === full) return true
  const container = full.slice(0, -name.length)
  const here = `.${fullName(definition)}`.slice(0, -definition.name.length)
  if (here.endsWith(`.${container}`)) return true
  // With smart case, the container's case is ignored too.
  return matched.distance > 0 && here.toLowerCase().endsWith(`.${container.toLowerCase()}`)
}
