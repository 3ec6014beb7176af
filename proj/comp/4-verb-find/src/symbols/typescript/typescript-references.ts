import type { DefinitionInfo, Program } from 'typescript'
import { HermesError, type VerbContext } from '../../../../0-contracts/src/index.js'
import { addTo, valueAt } from '../../../../0-text/src/index.js'
import { languageOf, lineStarts, placeIn } from '../../../../2-syntax/src/index.js'
import { type NamePlace, placeKey, type Verdict, type Verdicts } from '../references/candidate.js'
import type { WorkTime } from '../references/work-time.js'
import { KeptProjects, type ProjectsOfCall } from './kept-projects.js'
import type { LanguageProject } from './language-project.js'
import { LESS } from './load-typescript.js'

/**
 * Most definitions whose references are searched for, which also finds uses under other names. With more definitions,
 * each occurrence of the name is resolved instead, once for all definitions.
 */
const MOST_SEARCHED = 20
/** Number of files from which those of the first occurrences are loaded before the others. */
const MANY_FILES = 200
/** The number that find_symbol shows by default. */
const FIRST_PLACES = 50
/** Most occurrences remembered of an unchanged program. */
const MOST_KEPT = 100_000

/** Results for a program, so that a call stopped by its time limit can be continued. */
interface Found {
  /** References by the definition's place. */
  references: Map<string, readonly (NamePlace & { name?: string })[]>
  /** Definitions that each occurrence refers to. */
  meanings: Map<string, readonly string[]>
  size: number
}

const FOUND = new WeakMap<Program, Found>()

function foundIn(program: Program): Found {
  const known = FOUND.get(program)
  const found = known && known.size <= MOST_KEPT ? known : { references: new Map(), meanings: new Map(), size: 0 }
  FOUND.set(program, found)
  return found
}

/**
 * Resolves references by the language service. An occurrence that is not among its references means something else if
 * the service knows its definition; if it does not, as for members of untyped values, only the name matches.
 *
 * @throws HermesError `CANCELLED`
 */
export async function typescriptReferences(
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext, time: WorkTime,
): Promise<Verdicts> {
  try {
    return await KeptProjects.with(context, async (projects) => (
      await new ReferenceSearch(projects, time).search(definitions, candidates)
    ))
  } catch (error) {
    // The code is nested too deeply, or TypeScript is missing: then only names are compared.
    if (error instanceof RangeError) return byName('the code is nested too deeply for the TypeScript language service')
    if (error instanceof HermesError && error.code !== 'CANCELLED') {
      return byName(error.message.replace(/^get_definition: /, ''), error.hint?.replace(LESS, '').trim())
    }
    throw error
  }
}

function byName(why: string, hint = ''): Verdicts {
  return { verdicts: new Map(), renamed: [], onlyByName: `${why}. ${hint}`.trim() }
}

/** Splits occurrences into steps: where loading all their files may take all the time, some are decided first. */
function stepsOf(places: readonly NamePlace[], defined: ReadonlySet<string>): (readonly NamePlace[])[] {
  if (filesOf(places).size <= MANY_FILES) return [places]
  const isDefined = (place: NamePlace): boolean => defined.has(placeKey(place))
  const uses = places.filter((place) => !isDefined(place))
  return [[...places.filter(isDefined).slice(0, MOST_SEARCHED), ...uses.slice(0, FIRST_PLACES)], places]
}

function filesOf(places: readonly NamePlace[]): Set<string> {
  return new Set(places.map(({ path }) => path))
}

class ReferenceSearch {
  readonly #verdicts = new Map<string, Verdict>()
  /** All references found, by `placeKey`. */
  readonly #found = new Map<string, NamePlace & { name?: string }>()
  readonly #lines = new Map<string, readonly number[]>()

  constructor(private readonly projects: ProjectsOfCall, private readonly time: WorkTime) {}

  async search(definitions: readonly NamePlace[], candidates: readonly NamePlace[]): Promise<Verdicts> {
    const defined = new Set(definitions.map(placeKey))
    for (const place of candidates) this.#verdicts.set(placeKey(place), 'undecided')
    for (const [project, places] of await this.#byProject([...definitions, ...candidates])) {
      for (const step of stepsOf(places, defined)) await this.#decide(project, step, definitions, defined)
    }
    for (const place of candidates) {
      const key = placeKey(place)
      if (this.#found.has(key)) this.#verdicts.set(key, 'resolved')
    }
    const known = new Set([...definitions, ...candidates].map(placeKey))
    const renamed = [...this.#found].filter(([key]) => !known.has(key)).map(([, place]) => place)
    return { verdicts: this.#verdicts, renamed }
  }

  async #decide(
    project: LanguageProject, places: readonly NamePlace[], definitions: readonly NamePlace[],
    defined: ReadonlySet<string>,
  ): Promise<void> {
    await this.time.rest()
    if (this.time.isOver) return
    const program = project.loadWith(filesOf(places), () => !this.time.isOver)
    if (!program) return
    const found = foundIn(program)
    await this.#addReferences(project, program, definitions.slice(0, MOST_SEARCHED), found)
    await this.#addMeanings(project, program, places.filter((place) => !defined.has(placeKey(place))), defined, found)
  }

  /** Groups occurrences by project, those with the most first. */
  async #byProject(places: readonly NamePlace[]): Promise<[LanguageProject, NamePlace[]][]> {
    const byProject = new Map<LanguageProject, NamePlace[]>()
    const ofFiles = new Map<string, LanguageProject>()
    for (const place of places) {
      const project = ofFiles.get(place.path) ?? await this.projects.projectOf(place.path)
      ofFiles.set(place.path, project)
      addTo(byProject, project, place)
    }
    return [...byProject].sort(([, a], [, b]) => b.length - a.length)
  }

  /** Searches for references; uses half of the remaining time, since resolving single occurrences needs some too. */
  async #addReferences(
    project: LanguageProject, program: Program, definitions: readonly NamePlace[], found: Found,
  ): Promise<void> {
    const { usedMs, limitMs } = this.time
    const mayGoOn = (): boolean => this.time.usedMs < (usedMs + limitMs) / 2
    for (const definition of definitions) {
      const key = placeKey(definition)
      const position = this.#positionOf(program, definition)
      if (position === undefined) continue
      await this.time.rest()
      if (!found.references.has(key) && mayGoOn()) {
        const places = project.unlessStopped(mayGoOn, () => this.#referencesAt(project, program, definition, position))
        if (places) found.references.set(key, places)
        found.size += places?.length ?? 0
      }
      for (const place of found.references.get(key) ?? []) this.#found.set(placeKey(place), place)
    }
  }

  #referencesAt(
    { service }: LanguageProject, program: Program, { path }: NamePlace, position: number,
  ): (NamePlace & { name?: string })[] {
    const places = (service.findReferences(path, position) ?? []).flatMap(({ references }) => references)
    return places.flatMap(({ fileName, textSpan: { start, length } }) => {
      const place = this.#placeAt(program, fileName, start)
      const name = program.getSourceFile(fileName)?.text.slice(start, start + length)
      return place ? { ...place, ...(name !== undefined && { name }) } : []
    })
  }

  /** Resolves occurrences not resolved yet: to one of the definitions, to something else, or unknown. */
  async #addMeanings(
    project: LanguageProject, program: Program, places: readonly NamePlace[], defined: ReadonlySet<string>,
    found: Found,
  ): Promise<void> {
    for (const [index, place] of places.entries()) {
      const key = placeKey(place)
      const position = this.#positionOf(program, place)
      if (this.#found.has(key)) continue
      if (index % 50 === 0) await this.time.rest()
      let meant = position === undefined ? [] : found.meanings.get(key)
      if (!meant) {
        if (this.time.isOver) continue
        const infos = project.service.getDefinitionAtPosition(place.path, position!) ?? []
        meant = infos.map((info) => this.#keyOf(program, info))
        found.meanings.set(key, meant)
        found.size++
      }
      const isMeant = meant.some((each) => defined.has(each))
      this.#verdicts.set(key, isMeant ? 'resolved' : meant.length > 0 ? 'unrelated' : 'by name')
    }
  }

  #keyOf(program: Program, { fileName, textSpan }: DefinitionInfo): string {
    const place = this.#placeAt(program, fileName, textSpan.start)
    return place ? placeKey(place) : fileName
  }

  /** `undefined` outside of what may be seen. */
  #placeAt(program: Program, fileName: string, start: number): NamePlace | undefined {
    const { gated } = this.projects
    const path = gated.approve(fileName)
    const language = path && languageOf(path)
    if (!path || !language || gated.isLibrary(fileName)) return undefined
    return { path, language, ...placeIn(this.#linesOf(program, fileName), start) }
  }

  /** `undefined` where the file is not part of the program. */
  #positionOf(program: Program, { path, line, column }: NamePlace): number | undefined {
    const start = program.getSourceFile(path) && this.#linesOf(program, path)[line - 1]
    return start === undefined ? undefined : start + column - 1
  }

  #linesOf(program: Program, path: string): readonly number[] {
    return valueAt(this.#lines, path, () => lineStarts(program.getSourceFile(path)?.text ?? ''))
  }
}
