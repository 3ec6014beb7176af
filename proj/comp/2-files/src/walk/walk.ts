import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  type ApprovedPath, type DirectoryEntry, type FileStat, HermesError, isNodeError, type StatedEntry, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { isOddName } from '../../../0-text/src/index.js'
import { approveEntryIfAllowed, approveIfAllowed } from '../paths/index.js'
import { IgnoreRules, rulesAbove } from './ignore-rules.js'
import { isDependencyFolder } from './tool-folders.js'

export interface WalkedEntry {
  path: ApprovedPath
  /** Path relative to the start, with `/`. */
  relative: string
  /** For files wanted by `stats`: state when its directory was listed; absent where the store does not provide it. */
  stat?: FileStat
}

export interface WalkOptions {
  /** Which directories to enter, by relative path. Default: all. */
  enters?: (relative: string) => boolean
  /** Also yield links to files, as their targets. Default false. */
  links?: boolean
  /**
   * Skip what is excluded by `.gitignore` files (from the start's parents on, as far up as the gate allows),
   * `.git/info/exclude`, `.ignore` and `.rgignore`. A start that is excluded itself is still walked. Default false.
   */
  gitignore?: boolean
  /** False skips folders of dependencies, environments, caches and compiled code. Default true. */
  dependencies?: boolean
  /** Also yield names that are not UTF-8, in the form of `nameOfBytes`. Default false. */
  odd?: boolean
  /** False skips names that begin with a dot. Default true. */
  hidden?: boolean
  /** What the caller does with the files: `list` includes files whose content is denied. Default `read`. */
  access?: 'read' | 'list'
  /** For which file names the stat is wanted. Default: none. */
  stats?: (name: string) => boolean
  /**
   * `path`: sorted by the whole relative path; `name`: by name within each directory, in order of UTF-8 bytes, as
   * ripgrep sorts. Default `path`.
   */
  order?: 'path' | 'name'
  /** Called with each directory that cannot be read. */
  onUnreadable: (relative: string, error: Error & { code: string }) => void
}

/** Names that are never entered or yielded (`.git` is a file in a linked work tree). */
const NEVER = new Set(['.git', '.hermes'])

type WalkContext = Pick<VerbContext, 'gate' | 'files' | 'signal'>

/**
 * The files below a directory, sorted by relative path. Links to directories are not followed, so there are no loops;
 * paths that the gate denies are skipped.
 *
 * @throws HermesError `CANCELLED` once the signal is aborted
 */
export async function* walk(
  start: ApprovedPath, context: WalkContext, options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  yield* walkDirectory(start, '', options.gitignore ? rulesAbove(start, context) : undefined, context, options)
}

async function* walkDirectory(
  directory: ApprovedPath, prefix: string, above: IgnoreRules | undefined, context: WalkContext, options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  // Lets an abort arrive, since listing is synchronous.
  await setImmediate()
  checkSignal(context.signal)
  const entries = sortedEntries(directory, prefix, context, options)
  const rules = options.gitignore ? new IgnoreRules(directory, entries, above, context) : undefined
  for (const { name, kind, stat } of entries) {
    const relative = prefix + name
    if (!options.odd && isOddName(name)) continue
    if (NEVER.has(name) || (options.hidden === false && name.startsWith('.'))) continue
    if (kind === 'directory' && options.enters && !options.enters(relative)) continue
    if (kind === 'other' || (kind === 'link' && !options.links)) continue
    const here = join(directory, name)
    if (kind === 'directory' && options.dependencies === false && isOfTools(name, here, entries, context)) continue
    if (rules?.ignores(here, kind === 'directory')) continue
    const access = kind === 'file' ? options.access ?? 'read' : 'read'
    const path = kind === 'link' || isOddName(name) ? approveIfAllowed(context.gate, here, access)
      : approveEntryIfAllowed(context.gate, directory, name, access)
    if (path === undefined) continue
    if (kind === 'directory') yield* walkDirectory(path, `${relative}/`, rules, context, options)
    else if (kind === 'file' || context.files.stat(path)?.kind === 'file') {
      yield { path, relative, ...(stat && { stat }) }
    }
  }
}

function isOfTools(
  name: string, path: string, entries: readonly DirectoryEntry[], { gate, files }: WalkContext,
): boolean {
  return isDependencyFolder(name, {
    beside: () => entries.map((entry) => entry.name),
    holds: (file) => {
      const inside = approveIfAllowed(gate, join(path, file), 'list')
      return inside !== undefined && files.stat(inside) !== undefined
    },
  })
}

/** @throws HermesError `CANCELLED` */
export function checkSignal(signal: AbortSignal): void {
  if (signal.aborted) throw new HermesError('CANCELLED', 'The run was cancelled')
}

function sortedEntries(
  directory: ApprovedPath, prefix: string, { files }: Pick<VerbContext, 'files'>, options: WalkOptions,
): StatedEntry[] {
  try {
    const { stats } = options
    const entries: StatedEntry[] = (stats && files.listStats?.(directory, stats)) ?? files.list(directory)
    if (options.order === 'name') return entries.sort((a, b) => compareNames(a.name, b.name))
    // With a trailing slash, a directory sorts like the paths of its files.
    const key = ({ name, kind }: DirectoryEntry) => (kind === 'directory' ? `${name}/` : name)
    return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  } catch (error) {
    // A directory that has vanished, or leads elsewhere now, has no entries.
    if (error instanceof HermesError && error.code === 'POLICY_DENIED') return []
    if (!isNodeError(error)) throw error
    if (error.code !== 'ENOENT') options.onUnreadable(prefix.slice(0, -1), error)
    return []
  }
}

/** Compares by UTF-8 bytes, which is the order of code points. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left === right) continue
    const leftIsSurrogate = (left & 0xf800) === 0xd800
    const rightIsSurrogate = (right & 0xf800) === 0xd800
    return leftIsSurrogate === rightIsSurrogate ? left - right : Number(leftIsSurrogate) - Number(rightIsSurrogate)
  }
  return a.length - b.length
}
