import { orNothing, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { findProgram, trustedPath } from '../../2-processes/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { bwrapArguments, type BwrapFeatures } from './bwrap-arguments.js'
import { probeBwrap } from './bwrap-probe.js'
import { NamespaceCalls } from './namespace-call.js'
import type { NestedControl } from './nested-control.js'
import { seccompFilter } from './seccomp-filter.js'

/** Where bubblewrap is looked for before PATH, whose directories commands may come to write. */
const USUAL_PATH = '/usr/bin:/usr/local/bin:/bin'

/** Bubblewrap: namespaces of its own, a file system of its own, no capabilities (contract section 3 'commands'). */
export class BwrapBackend implements Backend {
  readonly name = 'bwrap'
  readonly isIsolated = false
  readonly #calls: NamespaceCalls
  #program = ''
  #features: BwrapFeatures = { size: false, disableUserns: false }

  constructor(place: SandboxPlace) {
    this.#calls = new NamespaceCalls(place)
  }

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'bubblewrap is for Linux only'
    const program = located()
    if (program === undefined) return 'bubblewrap is not installed'
    const state = await probeBwrap(program)
    if (!state.works) return state.problem
    this.#program = program
    this.#features = state.features
    return undefined
  }

  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram {
    const inside = this.#calls.plan(call, nested)
    const { args, inputs } = bwrapArguments({ ...inside, features: this.#features, filter: seccompFilter() })
    return this.#calls.program(inside, { sandbox: this.name, file: this.#program, args, inputs })
  }
}

function located(): string | undefined {
  return orNothing(() => findProgram('bwrap', `${USUAL_PATH}:${trustedPath(process.env['PATH'] ?? '')}`), undefined)
}
