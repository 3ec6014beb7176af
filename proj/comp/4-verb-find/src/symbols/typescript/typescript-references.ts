import { setImmediate } from 'node:timers/promises'
import { HermesError, type VerbContext } from '../../../../0-contracts/src/index.js'
import { checkSignal } from '../../../../2-files/src/index.js'
import { languageOf } from '../../../../2-syntax/src/index.js'
import { type NamePlace, placeKey, type Verdict, type Verdicts } from '../references/candidate.js'
import { KeptProjects, type ProjectsOfCall } from './kept-projects.js'
import type { LanguageProject } from './language-project.js'
import { lineStarts, placeIn, positionIn } from './positions.js'

/** Definitions whose references are looked for; those of more are known by name. */
const MOST_DEFINITIONS = 200
/** Places whose meaning is looked up to tell another meaning from an unknown one. */
const MOST_LOOKED_UP = 5000

/**
 * References by the language service. A place that it has not among them means something else where it knows what;
 * where it does not, as for members of what has no type, only the name is the same.
 *
 * @throws HermesError `CANCELLED`
 */
export async function typescriptReferences(
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext,
): Promise<Verdicts> {
  try {
    return await KeptProjects.with(context, async (projects) => (
      await new ReferenceSearch(projects, context).search(definitions, candidates)
    ))
  } catch (error) {
    // Code that is nested too deeply for it, or no TypeScript: only names are known then.
    const isWithout = error instanceof RangeError || (error instanceof HermesError && error.code !== 'CANCELLED')
    if (isWithout) return { verdicts: new Map(), renamed: [] }
    throw error
  }
}

class ReferenceSearch {
  readonly #projects: ProjectsOfCall
  readonly #context: VerbContext
  readonly #verdicts = new Map<string, Verdict>()
  /** Of all references found, by `placeKey`. */
  readonly #found = new Map<string, NamePlace>()
  readonly #lines = new Map<string, readonly number[]>()

  constructor(projects: ProjectsOfCall, context: VerbContext) {
    this.#projects = projects
    this.#context = context
  }

  async search(definitions: readonly NamePlace[], candidates: readonly NamePlace[]): Promise<Verdicts> {
    const byProject = new Map<LanguageProject, NamePlace[]>()
    for (const place of [...definitions, ...candidates]) {
      const project = await this.#projects.projectOf(place.path)
      byProject.set(project, [...byProject.get(project) ?? [], place])
    }
    const wanted = definitions.slice(0, MOST_DEFINITIONS)
    for (const [project, places] of byProject) {
      project.add(new Set(places.map(({ path }) => path)))
      for (const definition of wanted) await this.#addReferences(project, definition)
    }
    // Of definitions that were not asked for nothing is known.
    if (wanted.length === definitions.length) await this.#addOthers(byProject, new Set(candidates))
    for (const place of candidates) {
      const key = placeKey(place)
      if (this.#found.has(key)) this.#verdicts.set(key, 'resolved')
    }
    const known = new Set([...definitions, ...candidates].map(placeKey))
    const renamed = [...this.#found].filter(([key]) => !known.has(key)).map(([, place]) => place)
    return { verdicts: this.#verdicts, renamed }
  }

  async #addReferences(project: LanguageProject, definition: NamePlace): Promise<void> {
    const position = this.#positionOf(project, definition)
    if (position === undefined) return
    await this.#rest()
    for (const { references } of project.service.findReferences(definition.path, position) ?? []) {
      for (const { fileName, textSpan } of references) {
        const path = this.#projects.gated.approve(fileName)
        const language = path && languageOf(path)
        if (!path || !language || this.#projects.gated.isLibrary(fileName)) continue
        const place = { path, language, ...placeIn(this.#linesOf(project, fileName), textSpan.start) }
        this.#found.set(placeKey(place), place)
      }
    }
  }

  /** What the places that are no references mean. */
  async #addOthers(
    byProject: ReadonlyMap<LanguageProject, readonly NamePlace[]>, candidates: ReadonlySet<NamePlace>,
  ): Promise<void> {
    let left = MOST_LOOKED_UP
    for (const [project, places] of byProject) {
      for (const place of places) {
        const key = placeKey(place)
        if (!candidates.has(place) || this.#found.has(key)) continue
        const position = this.#positionOf(project, place)
        if (position === undefined || left-- <= 0) continue
        if (left % 100 === 0) await this.#rest()
        const meant = project.service.getDefinitionAtPosition(place.path, position) ?? []
        if (meant.length > 0) this.#verdicts.set(key, 'unrelated')
      }
    }
  }

  /** `undefined` where the file is no part of the project. */
  #positionOf(project: LanguageProject, { path, line, column }: NamePlace): number | undefined {
    const source = project.service.getProgram()?.getSourceFile(path)
    return source && positionIn(this.#linesOf(project, path), line, column)
  }

  #linesOf(project: LanguageProject, path: string): readonly number[] {
    const known = this.#lines.get(path) ?? lineStarts(project.text(path) ?? '')
    this.#lines.set(path, known)
    return known
  }

  /** The service is synchronous: lets an abort arrive. */
  async #rest(): Promise<void> {
    await setImmediate()
    checkSignal(this.#context.signal)
  }
}

