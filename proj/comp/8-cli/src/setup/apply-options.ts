import {
  CHECKS, READ_FORMATS, HermesError, MAPPING_NAMES, problemOfHost, readHosts, type Given, type HermesOptions,
  type ReadFormat,
} from '../../../0-contracts/src/index.js'
import { NAMES_BY_RULE } from '../../../1-reading/src/index.js'
import { keptOptions } from '../../../2-config/src/index.js'
import { oneOf, usageError, type Arguments } from '../arguments.js'

const DIALECTS: readonly string[] = [...READ_FORMATS, ...NAMES_BY_RULE]

function isReadFormat(name: string): name is ReadFormat {
  return READ_FORMATS.some((format) => format === name)
}

/** Longest wait in seconds: a longer one would overflow Node's timers and end at once. */
const MAX_SECONDS = 2_147_483

export type ApplyOptions = HermesOptions & Given<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>

/** Options of a run, from the flags of `apply` and `exec`. @throws HermesError `INVALID_OPTION` */
export function applyOptions(args: Arguments): ApplyOptions {
  return {
    root: args.value('root') ?? process.cwd(),
    allow: args.values('allow'),
    rootAliases: args.values('root-alias'),
    relativePaths: args.has('relative-paths'),
    dryRun: args.has('dry-run'),
    ...(args.has('match') && { match: oneOf('way to match', args.value('match') ?? '', ['exact', 'tolerant']) }),
    ...(args.has('checks') && { checks: oneOf('checks', args.value('checks') ?? '', CHECKS) }),
    ...(args.has('no-git') && { gitCommit: false }),
    ...(args.has('atomic') && { atomic: args.value('atomic') === 'files' ? 'files' as const : true }),
    durable: args.has('durable'),
    waitMs: waitMilliseconds(args),
    ...networkReach(args),
    ...(args.has('sandbox') && {
      sandbox: oneOf('sandbox', args.value('sandbox') ?? '', ['auto', 'bwrap', 'unshare', 'none']),
    }),
    ...(args.values('toolset').length > 0 && { toolsets: args.values('toolset') }),
    ...((args.has('edit-format') || args.has('dialect')) && { editFormats: editFormats(args) }),
    ...(args.has('no-hooks') && { hooks: false }),
    ...(args.has('starts-in-think') && { startsInThink: true }),
    timeoutMs: milliseconds(args, 'timeout', 'time limit', 'e.g. 30 or 0.5'),
  }
}

/** @throws HermesError `INVALID_OPTION` */
function networkReach(args: Arguments): Pick<HermesOptions, 'network'> {
  if (!args.has('network')) return {}
  const hosts = args.values('network').flatMap((list) => list.split(',')).map((host) => host.trim())
  if (hosts.length === 0) return { network: true }
  for (const host of hosts) {
    const problem = problemOfHost(host)
    if (problem !== undefined) {
      throw usageError(`--network: '${host}' names no host`, `${problem[0]?.toUpperCase()}${problem.slice(1)}.`)
    }
  }
  return { network: readHosts(hosts) }
}

/** Words an error about a library option in terms of flags. */
export function asFlagError(error: unknown): unknown {
  if (!(error instanceof HermesError) || error.code !== 'INVALID_OPTION') return error
  const message = error.message.replace(/^Option '(\w+)'/, (_, name: string) => (
    `--${name === 'rootAliases' ? 'root-alias' : name}`
  ))
  return new HermesError(error.code, message, { hint: error.hint, cause: error })
}

/** For `catch`: throws it so. */
export function throwAsFlagError(error: unknown): never {
  throw asFlagError(error)
}

/** Makes what checks options of the library. @throws HermesError `INVALID_OPTION` in terms of flags */
export function inFlagTerms<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw asFlagError(error)
  }
}

/** The mapping of `--mapping`, if it names one. @throws HermesError `INVALID_OPTION` */
export function mappingOption(args: Arguments): Pick<HermesOptions, 'mapping'> {
  const written = args.value('mapping')
  return written === undefined ? {} : { mapping: oneOf('mapping', written, [...MAPPING_NAMES, 'auto']) }
}

/**
 * The formats of `--dialect` and `--edit-format`, each a comma-separated list. Models' dialects, which `hermes prompt
 * --dialect` teaches, may be named though they are always read.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function editFormats(args: Arguments): ReadFormat[] {
  const given = (flag: string) => args.values(flag).flatMap((list) => list.split(',')).map((name) => name.trim())
  return [
    ...given('dialect').map((name) => oneOf('dialect', name, DIALECTS)).filter(isReadFormat),
    ...given('edit-format').map((name) => oneOf('edit format', name, READ_FORMATS)),
  ]
}

/** How to read a text that will not run: by the flags, else by the config files of the root. */
export async function readingOptions(args: Arguments): Promise<Pick<HermesOptions, 'editFormats' | 'startsInThink'>> {
  const startsInThink = args.has('starts-in-think')
  if (args.has('edit-format') || args.has('dialect')) return { editFormats: editFormats(args), startsInThink }
  const { editFormats: kept = [] } = await keptOptions({ root: args.value('root') ?? process.cwd() })
  return { editFormats: kept, startsInThink }
}

/** The value of `--wait` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function waitMilliseconds(args: Arguments): number {
  return milliseconds(args, 'wait', 'time to wait', 'e.g. 30', { least: 0, most: 86_400 }) ?? 0
}

/** The value of a flag in seconds, as milliseconds. @throws HermesError `INVALID_OPTION` */
export function milliseconds(
  args: Arguments, flag: string, what: string, examples: string, { least = 0.001, most = MAX_SECONDS } = {},
): number | undefined {
  const written = args.value(flag)
  if (written === undefined) return undefined
  const seconds = /^\d*\.?\d+$/.test(written) ? Number(written) : NaN
  if (seconds >= least && seconds <= most) return Math.round(seconds * 1000)
  throw usageError(`Invalid ${what}: ${written}`, `--${flag} is in seconds, ${examples}; at most ${most}.`)
}

/** The value of a flag that is a whole number from 1. @throws HermesError `INVALID_OPTION` */
export function wholeNumber(
  args: Arguments, flag: string, what: string, { most = 999_999, range = 'from 1' } = {},
): number | undefined {
  const written = args.value(flag)
  if (written === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(written) && Number(written) <= most) return Number(written)
  throw usageError(`Invalid ${what}: ${written}`, `--${flag} is a whole number ${range}.`)
}
