import {
  CHECKS, READ_FORMATS, HermesError, MAPPING_NAMES, type ReadFormat, type HermesOptions,
} from '../../../0-contracts/src/index.js'
import { keptOptions } from '../../../2-config/src/index.js'
import { oneOf, usageError, type Arguments } from '../arguments.js'

/** Longer waits than a timer of Node can hold would end at once. */
export const MAX_SECONDS = 2_147_483

export type ApplyOptions = HermesOptions & Required<Pick<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>>

/** The options of a run as the flags of `apply` and `exec` give them. @throws HermesError `INVALID_OPTION` */
export function applyOptions(args: Arguments): ApplyOptions {
  const timeout = args.value('timeout')
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
    ...(args.has('network') && { network: true }),
    ...sandboxMode(args),
    ...(args.values('toolset').length > 0 && { toolsets: args.values('toolset') }),
    ...((args.has('edit-format') || args.has('dialect')) && { editFormats: editFormats(args) }),
    ...(args.has('no-hooks') && { hooks: false }),
    ...(args.has('starts-in-think') && { startsInThink: true }),
    ...(timeout !== undefined && { timeoutMs: milliseconds(timeout) }),
  }
}

/** @throws HermesError `INVALID_OPTION` */
function sandboxMode(args: Arguments): Pick<HermesOptions, 'sandbox'> {
  const written = args.value('sandbox')
  return written === undefined ? {} : { sandbox: oneOf('sandbox', written, ['auto', 'bwrap', 'unshare', 'none']) }
}

/** An error about an option of the library, in words of the flags. */
export function asFlagError(error: unknown): unknown {
  if (!(error instanceof HermesError) || error.code !== 'INVALID_OPTION') return error
  const message = error.message.replace(/^Option '(\w+)'/, (_, name: string) => (
    `--${name === 'rootAliases' ? 'root-alias' : name}`
  ))
  return new HermesError(error.code, message, { hint: error.hint, cause: error })
}

/** The mapping of `--mapping`, where it names one alone. @throws HermesError `INVALID_OPTION` */
export function mappingOption(args: Arguments): Pick<HermesOptions, 'mapping'> {
  const written = args.value('mapping')
  return written === undefined ? {} : { mapping: oneOf('mapping', written, [...MAPPING_NAMES, 'auto']) }
}

/**
 * The formats of `--dialect` and `--edit-format`, each time a list with commas.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function editFormats(args: Arguments): ReadFormat[] {
  const given = (flag: string) => args.values(flag).flatMap((list) => list.split(',')).map((name) => name.trim())
  return [
    ...given('dialect').map((name) => oneOf('dialect', name, READ_FORMATS)),
    ...given('edit-format').map((name) => oneOf('edit format', name, READ_FORMATS)),
  ]
}

/** How a text is read that nothing of is run: by the flags, else as the files in the root say. */
export async function readingOptions(args: Arguments): Promise<Pick<HermesOptions, 'editFormats' | 'startsInThink'>> {
  const startsInThink = args.has('starts-in-think')
  if (args.has('edit-format') || args.has('dialect')) return { editFormats: editFormats(args), startsInThink }
  const { editFormats: kept = [] } = await keptOptions({ root: args.value('root') ?? process.cwd() })
  return { editFormats: kept, startsInThink }
}

function milliseconds(seconds: string): number {
  const value = /^\d*\.?\d+$/.test(seconds) ? Number(seconds) : NaN
  if (value >= 0.001 && value <= MAX_SECONDS) return Math.round(value * 1000)
  throw usageError(`Invalid time limit: ${seconds}`, `--timeout is in seconds, e.g. 30 or 0.5; at most ${MAX_SECONDS}.`)
}

/** The value of `--wait` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function waitMilliseconds(args: Arguments): number {
  const wait = args.value('wait')
  if (wait === undefined) return 0
  const seconds = /^\d*\.?\d+$/.test(wait) ? Number(wait) : NaN
  if (seconds <= 86_400) return Math.round(seconds * 1000)
  throw usageError(`Invalid time to wait: ${wait}`, '--wait is in seconds, e.g. 30; at most 86400.')
}
