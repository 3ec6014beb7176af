import type { VerbContext } from '../../../../0-contracts/src/index.js'
import type { LanguageId } from '../../../../2-syntax/src/index.js'
import { SCOPED_LANGUAGES, scopesOf } from '../scoped/language-scopes.js'
import { type NamePlace, placeKey, type Verdict, type Verdicts } from './candidate.js'
import { WorkTime } from './work-time.js'

/** The occurrences of a name that refer to certain definitions. */
export interface ReferenceSet {
  /** Sorted by path and position. */
  references: (NamePlace & { resolved: boolean; name?: string })[]
  /** Number of occurrences with another meaning, which are left out. */
  unrelated: number
  /** Number of references not resolved for lack of time. */
  undecided: number
  /** For each language family that was compared by name only, the reason. */
  onlyByName: string[]
}

/** Languages whose code can name what is defined in another of them. */
const FAMILIES: readonly (readonly LanguageId[])[] = [
  ['typescript', 'tsx', 'javascript'], ['python'], ...SCOPED_LANGUAGES.map((language) => [language]),
]

/** What resolves occurrences of a name in files of a language family. */
async function resolverOf(language: LanguageId) {
  if (language === 'python') return (await import('../python/python-references.js')).pythonReferences
  return scopesOf(language) ? (await import('../scoped/scoped-references.js')).scopedReferences
    : (await import('../typescript/typescript-references.js')).typescriptReferences
}

/**
 * Decides which occurrences of a name refer to one of some definitions: by the user's configured language servers; by
 * types in TypeScript and JavaScript; in other languages by scopes and imports, as far as these are known here. A
 * definition and a use in different languages only share the name. An occurrence that a server was asked about and does
 * not list counts as by name, unless it is known to mean something else. What takes longer than `time` stays undecided;
 * the next call of the session reuses what this one has loaded.
 *
 * @param definitions places of all wanted definitions' names, most wanted first
 * @param candidates identifiers of that name, possibly including the definitions, most wanted first
 * @throws HermesError `CANCELLED`
 */
export async function resolveReferences(
  verb: string, definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext,
  time = new WorkTime(context.signal),
): Promise<ReferenceSet> {
  const defined = new Set(definitions.map(placeKey))
  const places = candidates.filter((place) => !defined.has(placeKey(place)))
  const answers: Verdicts[] = []
  for (const languages of FAMILIES) {
    const isOfFamily = ({ language }: NamePlace): boolean => languages.includes(language)
    const [own, uses] = [definitions.filter(isOfFamily), places.filter(isOfFamily)]
    const [first] = own
    if (!first || uses.length === 0) continue
    const resolve = await resolverOf(first.language)
    answers.push(await resolve(own, uses, context, time))
  }
  // Their code is loaded only if the user has some.
  const told = context.policy.languageServers
    && await (await import('../servers/server-references.js')).serverReferences(verb, definitions, context)
  const verdictOf = (place: NamePlace): Verdict => {
    const key = placeKey(place)
    if (told?.named.has(key)) return 'resolved'
    const own = answers.flatMap(({ verdicts }) => verdicts.get(key) ?? [])[0] ?? 'by name'
    return own === 'resolved' && told?.covers(place.path) ? 'by name' : own
  }
  const judged = places.map((place) => ({ ...place, verdict: verdictOf(place) }))
  const kept = judged.filter(({ verdict }) => verdict !== 'unrelated')
    .map(({ verdict, ...place }) => ({ ...place, resolved: verdict === 'resolved' }))
  const seen = new Set([...defined, ...places.map(placeKey)])
  const further = [
    ...told?.named.values() ?? [],
    ...answers.flatMap(({ renamed }) => renamed).filter(({ path }) => told?.covers(path) !== true),
  ].filter((place) => !seen.has(placeKey(place))).map((place) => ({ ...place, resolved: true }))
  return {
    references: [...kept, ...further].sort(byPlace),
    unrelated: places.length - kept.length,
    undecided: judged.filter(({ verdict }) => verdict === 'undecided').length,
    onlyByName: answers.flatMap(({ onlyByName }) => onlyByName ?? []),
  }
}

function byPlace(a: NamePlace, b: NamePlace): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
