import { join, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, DirectoryEntry, VerbContext } from '../../../0-contracts/src/index.js'
import { getParentDirectory } from '../store/index.js'
import { approveIfAllowed } from '../paths/index.js'
import { readGitExclude } from './git-exclude.js'

type Access = Pick<VerbContext, 'gate' | 'files'>

/** Where rules come from, the first ones decide, as for ripgrep; `exclude` is git's `info/exclude`. */
const SOURCES = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const
type Source = (typeof SOURCES)[number]
const OF_GIT: ReadonlySet<Source> = new Set(['.gitignore', 'exclude'])

const MOST_BYTES = 1 << 20
/** Of a rule with more of them, matching deep paths could take very long. */
const MOST_DOUBLE_STARS = 3

/** The rules of one directory over those of the directories above it. */
export class IgnoreRules {
  readonly #directory: string
  readonly #above: IgnoreRules | undefined
  /** Git's rules of directories above do not count in a work tree of its own. */
  readonly #isWorkTree: boolean
  readonly #own = new Map<Source, Ignore>()

  /** @param entries of `directory` */
  constructor(
    directory: ApprovedPath, entries: readonly DirectoryEntry[], above: IgnoreRules | undefined, access: Access,
  ) {
    this.#directory = directory
    this.#above = above
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

  /** Whether an entry of the directory is passed over. */
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
    return this.#above?.outermost ?? (this.#own.size > 0 ? this.#directory : undefined)
  }

  /** Innermost first. */
  *#matchers(source: Source): Generator<{ level: IgnoreRules; matcher: Ignore }> {
    const matcher = this.#own.get(source)
    if (matcher) yield { level: this, matcher }
    if (this.#above && !(this.#isWorkTree && OF_GIT.has(source))) yield* this.#above.#matchers(source)
  }

  /**
   * Tells those matchers that would ignore a directory that it is not ignored after all, since other rules come
   * before theirs: below an ignored directory they would ignore everything.
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
    const below = path.slice(this.#directory.length + (this.#directory.endsWith(sep) ? 0 : 1))
    return (sep === '/' ? below : below.replaceAll(sep, '/')) + (isDirectory ? '/' : '')
  }
}

/**
 * The rules of the directories above `start`, as far up as the gate allows. Those above a directory that is ignored
 * itself do not count: who names it wants to see what is in it.
 */
export function rulesAbove(start: ApprovedPath, access: Access): IgnoreRules | undefined {
  const parent = getParentDirectory(start)
  const approved = parent === start ? undefined : approveIfAllowed(access.gate, parent, 'read')
  if (approved === undefined) return undefined
  const above = rulesAbove(approved, access)
  const rules = new IgnoreRules(approved, entriesOf(approved, access), above, access)
  return rules.ignores(start, true) ? undefined : rules
}

/** Directories at any depth one after the other are the same as the first: `/**` + `/**` + `/a`. */
function joinDoubleStars(rule: string): string {
  return rule.replace(/(?<=^!?|\/)(?:\*{2,}\/){2,}/g, '**/')
}

function entriesOf(directory: ApprovedPath, { files }: Access): DirectoryEntry[] {
  // What may be entered and not listed has no rules that could be read.
  return orNothing(() => files.list(directory), [])
}

function readRules(directory: ApprovedPath, name: string, { gate, files }: Access): string {
  const path = approveIfAllowed(gate, join(directory, name), 'read')
  if (path === undefined) return ''
  try {
    return Buffer.from(files.readBytes(path, MOST_BYTES)).toString('utf8')
  } catch (error) {
    // Rules that cannot be read do not count, as for git and ripgrep.
    if (error instanceof HermesError || isNodeError(error)) return ''
    throw error
  }
}
