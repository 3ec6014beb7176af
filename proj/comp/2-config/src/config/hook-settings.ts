import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HookMoment, HookOptions } from '../../../0-contracts/src/index.js'
import { canonicalOf, isInside } from '../../../2-files/src/index.js'
import { compileGlob } from './glob.js'
import { shownCommand } from './hook-commands.js'
import type { HookValues } from './hook-schema.js'
import { compared, directoryOf } from './path-policy.js'
import type { PolicySource } from './source.js'

/** A hook command of a policy file. */
export interface Hook {
  name: string
  on: HookMoment
  run: HookOptions['run']
  /** Only for `after_write`. */
  each: 'file' | 'run'
  /** Time limit in milliseconds; absent: that of any command. */
  timeoutMs: number | undefined
  continueOnError: boolean
  /** The line that declares it. */
  by: string
  /**
   * Only for a hook of a project: the entry of `trusted_hooks` that it needs to run without asking, and whether it is
   * there.
   */
  project: { trust: string; isTrusted: boolean } | undefined
  /**
   * Whether it runs for a file.
   *
   * @param path absolute, links resolved
   * @param below relative to the root or `--allow` directory
   */
  matches(path: string, below: string): boolean
}

const MOMENTS = ['before', 'after_write', 'after'] as const
/** Number of hexadecimal digits of the hash in `trusted_hooks`. */
const HASH_DIGITS = 16

/**
 * The hooks of all files: the user's, then the projects' from the outermost on.
 *
 * @param root absolute, links resolved; where they run
 */
export function hooksOf(
  user: PolicySource | undefined, projects: readonly PolicySource[], home: string, root: string,
): Hook[] {
  const trusted = user?.values.trusted_hooks?.map((entry) => readEntry(entry, user, home)) ?? []
  return [...(user ? [user] : []), ...[...projects].reverse()].flatMap((source) => {
    const { values: { hooks }, directory } = source
    if (!hooks) return []
    const project = directory === undefined ? undefined
      : trustOf(hooks, trustedPlace(canonicalOf(directory), root), trusted)
    return MOMENTS.flatMap((on) =>
      (hooks[on] ?? []).map((each, index) => hookOf(each, on, index, { source, project, home })))
  })
}

/**
 * The directory for which hooks have to be trusted: whoever trusts it trusts its code. A repository inside it, e.g.
 * just cloned, is other people's code, which the same commands (`npm test`) would run.
 *
 * @returns the directory, or the repository between it and the root
 */
function trustedPlace(directory: string, root: string): string {
  for (let at = root; at !== directory && isInside(directory, at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
  }
  return directory
}

/** The trust entry of a project's hooks; its hash changes with every change except comments and layout. */
function trustOf(hooks: HookValues, directory: string, trusted: readonly TrustEntry[]): NonNullable<Hook['project']> {
  const hash = createHash('sha256').update(JSON.stringify(MOMENTS.map((on) => hooks[on]))).digest('hex')
    .slice(0, HASH_DIGITS)
  const isTrusted = trusted.some((entry) =>
    entry.directory === directory && (entry.hash === undefined || entry.hash === hash))
  return { trust: `${directory}@${hash}`, isTrusted }
}

interface TrustEntry {
  directory: string
  hash: string | undefined
}

function readEntry(entry: string, user: PolicySource, home: string): TrustEntry {
  const [, directory = entry, hash] = /^(.+)@([0-9a-f]{16})$/.exec(entry) ?? []
  return { directory: directoryOf(directory, user, home), hash }
}

function hookOf(
  value: NonNullable<HookValues['after_write']>[number], on: HookMoment, index: number,
  { source, project, home }: { source: PolicySource; project: Hook['project']; home: string },
): Hook {
  const { run, name, time_limit: timeoutMs, continue_on_error: continueOnError = false } = value
  const globs = [value.files ?? []].flat().map((written) => compileGlob(written, { ignoreCase: false, home }))
  const each = value.each ?? ([run].flat().some((word) => word.includes('{path}')) ? 'file' : 'run')
  return {
    name: name ?? shownCommand(run).slice(0, 40).trim(), on, run, each, timeoutMs, continueOnError,
    by: source.place('hooks', on, index), project,
    matches(path, below) {
      return value.files === undefined || globs.some((glob) => glob.covers(compared(path, below, source)))
    },
  }
}
