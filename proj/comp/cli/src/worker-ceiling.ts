import type { Ceiling } from '../../job-queue/src/index.js'
import { applyOptions } from './apply-options.js'
import type { Arguments } from './arguments.js'

/** What no job of a worker goes beyond, by its flags. @throws HermesError `INVALID_OPTION` */
export function workerCeiling(args: Arguments): Ceiling {
  const { sandbox, network, timeoutMs, toolsets } = applyOptions(args)
  return { sandbox, network: network === true, yes: args.has('yes'), timeoutMs, toolsets }
}
