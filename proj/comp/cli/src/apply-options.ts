import { HermesError, type HermesOptions } from '../../contracts/src/index.js'
import { usageError, type Arguments } from './arguments.js'

/** Longer waits than a timer of Node can hold would end at once. */
const MAX_SECONDS = 2_147_483

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
    ...(args.values('toolset').length > 0 && { toolsets: args.values('toolset') }),
    ...(timeout !== undefined && { timeoutMs: milliseconds(timeout) }),
  }
}

/** An error about an option of the library, in words of the flags. */
export function asFlagError(error: unknown): unknown {
  if (!(error instanceof HermesError) || error.code !== 'INVALID_OPTION') return error
  const message = error.message.replace(/^Option '(\w+)'/, (_, name: string) => (
    `--${name === 'rootAliases' ? 'root-alias' : name}`
  ))
  return new HermesError(error.code, message, { hint: error.hint, cause: error })
}

function milliseconds(seconds: string): number {
  const value = /^\d*\.?\d+$/.test(seconds) ? Number(seconds) : NaN
  if (value >= 0.001 && value <= MAX_SECONDS) return Math.round(value * 1000)
  throw usageError(`Invalid time limit: ${seconds}`, `--timeout is in seconds, e.g. 30 or 0.5; at most ${MAX_SECONDS}.`)
}
