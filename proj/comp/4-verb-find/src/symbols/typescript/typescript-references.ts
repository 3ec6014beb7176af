import type { DefinitionInfo, Program } from 'typescript'
import { HermesError, type VerbContext } from '../../../../0-contracts/src/index.js'
import { languageOf } from '../../../../2-syntax/src/index.js'
import { type NamePlace, placeKey, type Verdict, type Verdicts } from '../references/candidate.js'
import type { WorkTime } from '../references/work-time.js'
import { KeptProjects, type ProjectsOfCall } from './kept-projects.js'
import type { LanguageProject } from './language-project.js'
import { LESS } from './load-typescript.js'
import { lineStarts, placeIn, positionIn } from './positions.js'

/**
 * Definitions whose references are searched, which also finds uses under other names. Where there are more, places of
 * the name are asked what they mean, once for all definitions.
 */
const MOST_SEARCHED = 20
/** Where places lie in more files than this, those of the first places are loaded before the others. */
const MANY_FILES = 200
/** As many as find_symbol shows, if nobody wants more. */
const FIRST_PLACES = 50
/** Places kept of a program that nobody has changed. */
const MOST_KEPT = 100_000

/** What was found in a program, so that a call that was stopped by its time can be continued. */
interface Found {
  /** References by the definition's place. */
  references: Map<string, readonly (NamePlace & { name?: string })[]>
  /** Places of the definitions that a place means. */
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
 * References by the language service. A place that it has not among them means something else where it knows what;
 * where it does not, as for members of what has no type, only the name is the same.
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
    // Code that is nested too deeply for it, or no TypeScript: only names are known then.
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

/** Where loading all files with the places may take all the time, some are decided before the others are loaded. */
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
  readonly #projects: ProjectsOfCall
  readonly #time: WorkTime
  readonly #verdicts = new Map<string, Verdict>()
  /** Of all references found, by `placeKey`. */
  readonly #found = new Map<string, NamePlace & { name?: string }>()
  readonly #lines = new Map<string, readonly number[]>()

  constructor(projects: ProjectsOfCall, time: WorkTime) {
    this.#projects = projects
    this.#time = time
  }

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
    await this.#time.rest()
    if (this.#time.isOver) return
    const program = project.loadWith(filesOf(places), () => !this.#time.isOver)
    if (!program) return
    const found = foundIn(program)
    await this.#addReferences(project, program, definitions.slice(0, MOST_SEARCHED), found)
    await this.#addMeanings(project, program, places.filter((place) => !defined.has(placeKey(place))), defined, found)
  }

  /** Those with the most places first. */
  async #byProject(places: readonly NamePlace[]): Promise<[LanguageProject, NamePlace[]][]> {
    const byProject = new Map<LanguageProject, NamePlace[]>()
    const ofFiles = new Map<string, LanguageProject>()
    for (const place of places) {
      const project = ofFiles.get(place.path) ?? await this.#projects.projectOf(place.path)
      ofFiles.set(place.path, project)
      const known = byProject.get(project) ?? []
      known.push(place)
      byProject.set(project, known)
    }
    return [...byProject].sort(([, one], [, other]) => other.length - one.length)
  }

  /** Takes half of the time that is left: places that are asked one by one need some, too. */
  async #addReferences(
    project: LanguageProject, program: Program, definitions: readonly NamePlace[], found: Found,
  ): Promise<void> {
    const { usedMs, limitMs } = this.#time
    const mayGoOn = (): boolean => this.#time.usedMs < (usedMs + limitMs) / 2
    for (const definition of definitions) {
      const key = placeKey(definition)
      const position = this.#positionOf(program, definition)
      if (position === undefined) continue
      await this.#time.rest()
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

  /** What the places mean of which nothing is known yet: one of the definitions, something else, or nothing known. */
  async #addMeanings(
    project: LanguageProject, program: Program, places: readonly NamePlace[], defined: ReadonlySet<string>,
    found: Found,
  ): Promise<void> {
    for (const [index, place] of places.entries()) {
      const key = placeKey(place)
      const position = this.#positionOf(program, place)
      if (this.#found.has(key)) continue
      if (index % 50 === 0) await this.#time.rest()
      let meant = position === undefined ? [] : found.meanings.get(key)
      if (!meant) {
        if (this.#time.isOver) continue
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
    const { gated } = this.#projects
    const path = gated.approve(fileName)
    const language = path && languageOf(path)
    if (!path || !language || gated.isLibrary(fileName)) return undefined
    return { path, language, ...placeIn(this.#linesOf(program, fileName), start) }
  }

  /** `undefined` where the file is no part of the program. */
  #positionOf(program: Program, { path, line, column }: NamePlace): number | undefined {
    return program.getSourceFile(path) && positionIn(this.#linesOf(program, path), line, column)
  }

  #linesOf(program: Program, path: string): readonly number[] {
    const known = this.#lines.get(path) ?? lineStarts(program.getSourceFile(path)?.text ?? '')
    this.#lines.set(path, known)
    return known
  }
}
