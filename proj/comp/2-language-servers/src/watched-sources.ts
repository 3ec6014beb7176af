import { basename } from 'node:path'
import {
  languageServerOf, type ApprovedPath, type LanguageServer, type VerbContext,
} from '../../0-contracts/src/index.js'
import { uriOf, walk } from '../../2-files/src/index.js'

/** Files that are looked at: of more, servers hear nothing of changes. */
const MOST_FILES = 20_000
/** Files by which servers know what belongs to a project, besides those of their languages. */
const OF_PROJECTS = new Set([
  'package.json', 'tsconfig.json', 'jsconfig.json', 'pyproject.toml', 'pyrightconfig.json', 'setup.cfg', 'go.mod',
  'go.work', 'cargo.toml', 'cargo.lock', 'compile_commands.json', 'compile_flags.txt', '.clangd', 'pom.xml',
  'build.gradle', 'composer.json', 'gemfile', 'mix.exs',
])
/** `FileChangeType` of the protocol. */
const [CREATED, CHANGED, DELETED] = [1, 2, 3]

/** What a server is to be told of the files of the root: it is only said to watch them. */
export class WatchedFiles {
  /** Size and time of each by path; `undefined` before the first look. */
  #known: ReadonlyMap<string, string> | undefined

  constructor(private readonly server: LanguageServer) {}

  /**
   * Looks at all of them.
   *
   * @returns those that have come, changed or gone since the last look; none the first time
   * @throws HermesError `CANCELLED`
   */
  async look(context: VerbContext): Promise<{ uri: string; type: number }[]> {
    const before = this.#known
    const now = await this.#scan(context)
    this.#known = now
    if (!before) return []
    const come = [...now].filter(([path, state]) => before.get(path) !== state)
      .map(([path]) => ({ uri: uriOf(path), type: before.has(path) ? CHANGED! : CREATED! }))
    const gone = [...before.keys()].filter((path) => !now.has(path))
      .map((path) => ({ uri: uriOf(path), type: DELETED! }))
    return [...come, ...gone]
  }

  /** Whether a file is as at the last look: what the server says of others may be about another text. */
  isSame(path: ApprovedPath, context: VerbContext): boolean {
    const stat = context.files.stat(path)
    const known = this.#known?.get(path)
    return known === undefined || (stat !== undefined && known === stateOf(stat))
  }

  async #scan(context: VerbContext): Promise<Map<string, string>> {
    const sources = new Map<string, string>()
    const start = context.gate.approve(context.session.root, 'read')
    const isWanted = (name: string): boolean => (
      OF_PROJECTS.has(name.toLowerCase()) || languageServerOf(name, [this.server]) !== undefined
    )
    const walked = walk(start, context, {
      gitignore: true, dependencies: false, stats: isWanted, onUnreadable: () => undefined,
    })
    for await (const { path, relative, stat } of walked) {
      if (!isWanted(basename(relative))) continue
      const seen = stat ?? context.files.stat(path)
      if (seen) sources.set(path, stateOf(seen))
      if (sources.size >= MOST_FILES) break
    }
    return sources
  }
}

function stateOf({ size, mtimeMs }: { size: number; mtimeMs: number }): string {
  return `${size} ${mtimeMs}`
}
