import type { ConfinedProgram, ProgramCall, SandboxName } from '../../0-contracts/src/index.js'
import type { NestedControl } from './nested-control.js'
import type { ResourceLimits } from './resource-limits.js'

/** What every backend is told. */
export interface SandboxPlace {
  /** Canonical. Commands start here, and may write here and in `allow`. */
  root: string
  allow: readonly string[]
  /** What commands may not change there, beyond what is kept anyway: canonical. */
  readOnly: readonly string[]
  resources: ResourceLimits
  /** Commands share namespaces until `end` is called; the first are begun with this network. */
  task?: { network: boolean } | undefined
  /** The variables commands get; read anew for each. */
  env: (network: boolean) => Record<string, string>
}

/** One way to hold commands: a sandbox of this machine, a container, another host, or none at all. */
export interface Backend {
  readonly name: SandboxName
  /** As of `CommandSandbox`. */
  readonly isIsolated: boolean
  /** Why it does not work here, as the end of a sentence; `undefined` where it does. Asked once. */
  problem(): Promise<string | undefined>
  /** As of `CommandSandbox`; only once `problem` has been asked. */
  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram | Promise<ConfinedProgram>
  /** As of `CommandSandbox`. */
  end?(): Promise<void>
}
