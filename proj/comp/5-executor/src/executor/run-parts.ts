import type { AnyVerb, HermesOptions, ParsedBlock, VerbContext } from '../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import type { RunTransaction } from '../../../3-transaction/src/index.js'
import type { Outcome } from './failures.js'
import type { RemoteNames } from './remote-names.js'
import type { Settings } from './settings.js'

export interface BlockRun {
  outcome: Outcome
  /** Of a call of another harness's tool: what ran in its place. */
  ranAs?: readonly Pick<ParsedBlock, 'action' | 'params'>[]
  /** Of the verb, where it may be there in another version some day: see `ActionResult`. */
  version?: string | undefined
  /** The handler was started. */
  started: boolean
  /** The verb whose handler was started. */
  verb?: AnyVerb
  /** The parameters do not fit the verb. */
  isInvalid?: true
  /** Why no further block can run. */
  fatalError?: string
}

/** What a run is made with. */
export interface RunParts {
  registry: VerbRegistry
  settings: Settings
  context: VerbContext
  /** None in a dry run. */
  transaction: RunTransaction | undefined
  remote: RemoteNames
  /** Takes what a handler does after it was given up, one line each: warnings of this run, or of the next. */
  late: (line: string) => void
  /** Hears of what a command prints. */
  onOutput?: HermesOptions['onOutput']
}
