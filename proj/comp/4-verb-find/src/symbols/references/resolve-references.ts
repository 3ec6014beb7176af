import type { VerbContext } from '../../../../0-contracts/src/index.js'
import type { LanguageId } from '../../../../2-syntax/src/index.js'
import { SCOPED_LANGUAGES } from '../scoped/language-scopes.js'
import { type NamePlace, placeKey, type Verdict, type Verdicts } from './candidate.js'
import { WorkTime } from './work-time.js'

/** What of the places of a name means certain definitions. */
export interface ReferenceSet {
  /** By path and place. */
  references: (NamePlace & { resolved: boolean; name?: string })[]
  /** Places of the name that mean something else, and are left out. */
  unrelated: number
  /** How many references are not resolved since there was no time for it. */
  undecided: number
  /** Why only names were compared, of each family of languages where that is so. */
  onlyByName: string[]
}

/** Decides for the places of a name in files of one family of languages. */
type Resolver = (
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext,
  time: WorkTime,
) => Promise<Verdicts>

interface Family {
  languages: readonly LanguageId[]
  load: () => Promise<Resolver>
}

const FAMILIES: readonly Family[] = [
  {
    languages: ['typescript', 'tsx', 'javascript'],
    load: async () => (await import('../typescript/typescript-references.js')).typescriptReferences,
  },
  {
    languages: ['python'],
    load: async () => (await import('../python/python-references.js')).pythonReferences,
  },
  ...SCOPED_LANGUAGES.map((language): Family => ({
    languages: [language],
    load: async () => (await import('../scoped/scoped-references.js')).scopedReferences,
  })),
]

/**
 * Which places of a name mean one of some definitions: by types in TypeScript and JavaScript, by scopes and imports in
 * other languages as far as they are known here. A definition and a use in different languages only share the name.
 *
 * @param definitions places of the names of all definitions that are meant
 * What takes longer than `time` stays undecided; the next call of the session goes on from what this one has loaded.
 *
 * @param definitions places of the names of all definitions that are meant, the most wanted first
 * @param candidates identifiers of that name, which may have the definitions among them, the most wanted first
 * @throws HermesError `CANCELLED`
 */
export async function resolveReferences(
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext,
  time = new WorkTime(context.signal),
): Promise<ReferenceSet> {
  const defined = new Set(definitions.map(placeKey))
  const places = candidates.filter((place) => !defined.has(placeKey(place)))
  const answers: Verdicts[] = []
  for (const { languages, load } of FAMILIES) {
    const isOfFamily = ({ language }: NamePlace): boolean => languages.includes(language)
    const [own, uses] = [definitions.filter(isOfFamily), places.filter(isOfFamily)]
    if (own.length === 0 || uses.length === 0) continue
    answers.push(await (await load())(own, uses, context, time))
  }
  const verdictOf = (place: NamePlace): Verdict => {
    const key = placeKey(place)
    for (const { verdicts } of answers) {
      const verdict = verdicts.get(key)
      if (verdict) return verdict
    }
    return 'by name'
  }
  const judged = places.map((place) => ({ ...place, verdict: verdictOf(place) }))
  const kept = judged.filter(({ verdict }) => verdict !== 'unrelated')
    .map(({ verdict, ...place }) => ({ ...place, resolved: verdict === 'resolved' }))
  const renamed = answers.flatMap((answer) => answer.renamed.map((place) => ({ ...place, resolved: true })))
  return {
    references: [...kept, ...renamed].sort(byPlace),
    unrelated: places.length - kept.length,
    undecided: judged.filter(({ verdict }) => verdict === 'undecided').length,
    onlyByName: answers.flatMap(({ onlyByName }) => onlyByName ?? []),
  }
}

function byPlace(a: NamePlace, b: NamePlace): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
