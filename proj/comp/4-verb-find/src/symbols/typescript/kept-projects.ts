import type { DocumentRegistry } from 'typescript'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { KeptWhileUsed } from '../kept-while-used.js'
import { GatedFiles } from './gated-files.js'
import { LanguageProject } from './language-project.js'
import { loadTypeScript, type TypeScript } from './load-typescript.js'
import { isScriptName, type Project, ProjectConfigs } from './project.js'

/** Most source text kept between calls, in UTF-16 units; the service needs about ten times as much memory. */
const MOST_CHARS = 24_000_000
const MOST_PROJECTS = 8

interface Kept {
  /** Options and references: if they change, it is another project. */
  settings: string
  language: LanguageProject
  chars: number
  isInUse: boolean
}

/** The language services of a session. */
export class KeptProjects extends KeptWhileUsed {
  #documents: DocumentRegistry
  /** By configuration, least recently used first. */
  readonly #projects = new Map<string, Kept>()
  #configs: ProjectConfigs | undefined
  #files: VerbContext['files'] | undefined

  constructor(private readonly ts: TypeScript) {
    super()
    this.#documents = ts.createDocumentRegistry()
  }

  /**
   * Calls `use` with the session's projects, or with new ones where the session keeps nothing.
   *
   * @throws HermesError `NOT_INSTALLED`, `CANCELLED`
   */
  static async with<Result>(
    context: VerbContext, use: (projects: ProjectsOfCall, ts: TypeScript) => Promise<Result>,
  ): Promise<Result> {
    const ts = loadTypeScript()
    const projects = this.of(context.session, 'typescript-projects', KeptProjects, () => new KeptProjects(ts))
    try {
      const result = await use(projects.#open(context), ts)
      projects.#close()
      return result
    } catch (error) {
      // After an error the state of a service is unknown.
      projects.forget()
      throw error
    } finally {
      if (!context.session.kept) projects.forget()
    }
  }

  #open(context: VerbContext): ProjectsOfCall {
    this.begin()
    // Each dry run has its own files.
    if (context.dryRun && this.#files !== context.files) this.forget()
    this.#files = context.files
    const gated = new GatedFiles(context, this.ts)
    if (!this.#configs?.begin(gated, context)) this.#configs = new ProjectConfigs(this.ts, gated, context)
    const configs = this.#configs
    return {
      gated,
      projectOf: async (file) => this.#languageOf(file, await configs.projectOf(file), configs, gated),
    }
  }

  async #languageOf(
    file: string, project: Project, configs: ProjectConfigs, gated: GatedFiles,
  ): Promise<LanguageProject> {
    const key = `${isScriptName(file)} ${project.config ?? `none ${project.directory}`}`
    const settings = JSON.stringify([project.options, project.references])
    const kept = this.#projects.get(key)
    if (kept?.isInUse) return kept.language
    const referenced = await configs.referenced(project.references)
    if (kept && kept.settings === settings) {
      kept.language.begin(project, referenced, gated)
      this.#keep(key, kept)
      return kept.language
    }
    kept?.language[Symbol.dispose]()
    const language = new LanguageProject(this.ts, project, referenced, gated, this.#documents)
    this.#keep(key, { settings, language, chars: 0, isInUse: true })
    return language
  }

  #keep(key: string, kept: Kept): void {
    kept.isInUse = true
    this.#projects.delete(key)
    this.#projects.set(key, kept)
  }

  /**
   * Drops projects beyond the limits: first those not used in this call, longest unused first; then small ones, which
   * load fastest.
   */
  #close(): void {
    const rankOf = ({ isInUse, chars }: Kept): number => (isInUse ? chars : -1)
    for (const kept of this.#projects.values()) {
      if (kept.isInUse) kept.chars = kept.language.end()
    }
    const ranked = [...this.#projects].sort(([, a], [, b]) => rankOf(a) - rankOf(b))
    let chars = ranked.reduce((sum, [, kept]) => sum + kept.chars, 0)
    for (const [, kept] of ranked) kept.isInUse = false
    for (const [key, kept] of ranked) {
      if (chars <= MOST_CHARS && this.#projects.size <= MOST_PROJECTS) break
      chars -= kept.chars
      kept.language[Symbol.dispose]()
      this.#projects.delete(key)
      if (kept.language.wasStopped) this.#documents = this.ts.createDocumentRegistry()
    }
    this.end()
  }

  protected drop(): void {
    for (const { language } of this.#projects.values()) language[Symbol.dispose]()
    this.#projects.clear()
    this.#configs = undefined
    this.#documents = this.ts.createDocumentRegistry()
  }
}

/** The projects as one call uses them. */
export interface ProjectsOfCall {
  gated: GatedFiles
  projectOf: (file: ApprovedPath) => Promise<LanguageProject>
}
