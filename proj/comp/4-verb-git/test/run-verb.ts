import type { Limits, VerbContext } from '../../0-contracts/src/index.js'
import { createSandbox } from '../../2-sandbox/src/index.js'
import { contextFor, runVerb } from '../../5-executor/test/verbs/golden-harness.js'

/** Runs a verb below `root`, with limits that are out of the way, and hooks without a sandbox unless told otherwise. */
export function runIn(
  root: string, name: string, args: object = {}, limits: Partial<Limits> = {}, more: Partial<VerbContext> = {},
): Promise<unknown> {
  const context = contextFor(root, 'disk', { commandTimeoutMs: 20_000, maxMatches: 1000, maxOutputBytes: 100_000, ...limits })
  return runVerb(name, args, { ...context, sandbox: createSandbox({ root, mode: 'none' }), ...more })
}
