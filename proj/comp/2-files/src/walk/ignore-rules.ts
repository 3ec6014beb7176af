import { join, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { ifPossible, orNothing } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, DirectoryEntry, VerbContext } from '../../../0-contracts/src/index.js'
import { getParentDirectory, readRegular } from '../store/index.js'
import { approveIfAllowed } from '../paths/index.js'

type Access = Pick<VerbContext, 'gate' | 'files'>

/** Sources of rules, in order of priority as in ripgrep; `exclude` is git's `info/exclude`. */
const SOURCES = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const
type Source = (typeof SOURCES)[number]
const OF_GIT: ReadonlySet<Source> = new Set(['.gitignore', 'exclude'])

const MOST_BYTES = 1 << 20
/** Most `**` in a rule; with more, matching deep paths could take very long. */
const MOST_DOUBLE_STARS = 3

/** The rules of a directory, on top of those of its parents. */
export class IgnoreRules {
  /** In a work tree of its own, git's rules of parent directories do not count. */
  readonly #isWorkTree: boolean
  readonly #own = new Map<Source, Ignore>()

  /** @param entries of `directory` */
  constructor(
    private readonly directory: ApprovedPath, entries: readonly DirectoryEntry[],
    private readonly above: IgnoreRules | undefined, access: Access,
  ) {
    this.#isWorkTree = entries.some(({ name }) => name === '.git')
    if (above) above.#reinclude(directory)
    for (const source of SOURCES) {
      const text = source === 'exclude'
        ? (this.#isWorkTree ? readGitExclude(directory) : '')
        : (entries.some(({ name }) => name === source) ? readRules(directory, source, access) : '')
      const rules = text.split('\n').map(joinDoubleStars)
        .filter((line) => line.split('**').length - 1 <= MOST_DOUBLE_STARS).join('\n')
      if (rules !== '') this.#own.set(source, ignore({ ignorecase: false }).add(rules))
    }
  }

  /** Whether an entry of the directory is ignored. */
  ignores(path: string, isDirectory: boolean): boolean {
    for (const source of SOURCES) {
      for (const { level, matcher } of this.#matchers(source)) {
        const { ignored, unignored } = matcher.test(level.#pathOf(path, isDirectory))
        if (ignored || unignored) return ignored
      }
    }
    return false
  }

  /** The outermost directory with rules that count here. */
  get outermost(): string | undefined {
    return this.above?.outermost ?? (this.#own.size > 0 ? this.directory : undefined)
  }

  /** Matchers of one source, innermost directory first. */
  *#matchers(source: Source): Generator<{ level: IgnoreRules; matcher: Ignore }> {
    const matcher = this.#own.get(source)
    if (matcher) yield { level: this, matcher }
    if (this.above && !(this.#isWorkTree && OF_GIT.has(source))) yield* this.above.#matchers(source)
  }

  /**
   * Tells lower-priority matchers that a directory is not ignored after all, since below an ignored directory they
   * would ignore everything.
   */
  #reinclude(directory: string): void {
    for (const source of SOURCES) {
      for (const { level, matcher } of this.#matchers(source)) {
        const path = level.#pathOf(directory, true)
        if (matcher.test(path).ignored) matcher.add({ pattern: `!/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}` })
      }
    }
  }

  #pathOf(path: string, isDirectory: boolean): string {
    const below = path.slice(this.directory.length + (this.directory.endsWith(sep) ? 0 : 1))
    return (sep === '/' ? below : below.replaceAll(sep, '/')) + (isDirectory ? '/' : '')
  }
}

/**
 * The rules of the directories above `start`, as far up as the gate allows. If `start` itself is in an ignored
 * directory, they do not count: whoever names it wants to see its content.
 */
export function rulesAbove(start: ApprovedPath, access: Access): IgnoreRules | undefined {
  const parent = getParentDirectory(start)
  const approved = parent === start ? undefined : approveIfAllowed(access.gate, parent, 'read')
  // The root may go by the name of a directory above it: what is approved is no parent then, and would have no end.
  if (approved !== parent) return undefined
  const rules = new IgnoreRules(approved, entriesOf(approved, access), rulesAbove(approved, access), access)
  return rules.ignores(start, true) ? undefined : rules
}

/** Consecutive `**` are equivalent to one: `/**` + `/**` + `/a`. */
function joinDoubleStars(rule: string): string {
  return rule.replace(/(?<=^!?|\/)(?:\*{2,}\/){2,}/g, '**/')
}

function entriesOf(directory: ApprovedPath, { files }: Access): DirectoryEntry[] {
  // A directory that cannot be listed has no readable rules.
  return orNothing(() => files.list(directory), [])
}

function readRules(directory: ApprovedPath, name: string, { gate, files }: Access): string {
  const path = approveIfAllowed(gate, join(directory, name), 'read')
  return path === undefined ? '' : textIfReadable(() => files.readBytes(path, MOST_BYTES))
}

/**
 * What `info/exclude` of a work tree says; `''` where there is none. Read without the gate, which keeps `.git` from
 * verbs: the text only decides which files a search passes over and is never shown.
 *
 * @param workTree directory that holds `.git`, which is a file in linked work trees and submodules
 */
function readGitExclude(workTree: string): string {
  const dotGit = join(workTree, '.git')
  const link = /^gitdir: (.+)/.exec(readSmall(dotGit))?.[1]
  const gitDirectory = link === undefined ? dotGit : resolve(workTree, link)
  const common = readSmall(join(gitDirectory, 'commondir')).trim()
  return readSmall(join(resolve(gitDirectory, common), 'info', 'exclude'))
}

function readSmall(path: string): string {
  return textIfReadable(() => readRegular(path, MOST_BYTES))
}

/** Rules that cannot be read do not count, as for git and ripgrep. */
function textIfReadable(read: () => Uint8Array): string {
  return ifPossible(() => Buffer.from(read()).toString('utf8'), '')
}
