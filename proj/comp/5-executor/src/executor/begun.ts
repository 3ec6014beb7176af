import { DEFAULT_LIMITS, DEFAULT_POLICY, type Hook, type LoadedPolicy } from '../../../2-config/src/index.js'
import type { HermesError } from '../../../0-contracts/src/index.js'
import type { CallbackFailure } from './handlers/callbacks.js'
import type { RunParts } from './run-parts.js'

/** What one run works with. */
export interface Begun extends Omit<RunParts, 'registry' | 'settings'> {
  /** What callbacks of the calling program threw during the run. */
  thrown: CallbackFailure[]
  /** Commands that the config runs before and after the run. */
  hooks: readonly Hook[]
  /** Why no verb can run; `undefined` where verbs can. */
  problem: HermesError | undefined
  warnings: readonly string[]
  /** Warnings for the user that arose during the run. */
  lateWarnings: () => readonly string[]
  /** Call it when the run has ended: removes its listeners from longer-lived abort signals. */
  release: () => void
}

/** Stands in for a policy that cannot be read: nothing runs then, so its values are never used. */
export const NOTHING_SAID: LoadedPolicy = {
  policy: DEFAULT_POLICY, limits: DEFAULT_LIMITS, reading: { formats: [] }, paths: undefined, hooks: [],
  verbExtensions: [], verbModules: [],
  warnings: [],
}
