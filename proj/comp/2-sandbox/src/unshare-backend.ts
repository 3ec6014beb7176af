import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { NamespaceCalls, orRelease } from './namespace-call.js'
import type { NestedControl } from './nested-control.js'
import { unshareArguments, type UnshareTools } from './unshare-arguments.js'
import { currentUser, probeUnshare } from './unshare-probe.js'

/** The namespaces of bubblewrap by the programs of util-linux, which nearly every Linux has: no filter of calls. */
export class UnshareBackend implements Backend {
  readonly name = 'unshare'
  readonly isIsolated = false
  readonly #calls: NamespaceCalls
  #tools: UnshareTools | undefined

  constructor(place: SandboxPlace) {
    this.#calls = new NamespaceCalls(place)
  }

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'namespaces are for Linux only'
    const state = await probeUnshare()
    if (!state.works) return state.problem
    this.#tools = state.tools
    return undefined
  }

  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram {
    const tools = this.#tools
    if (tools === undefined) throw new Error('confine before problem')
    const inside = this.#calls.plan(call, nested)
    const { args, inputs } = orRelease(inside.release, () => unshareArguments(inside, tools, currentUser()))
    return this.#calls.program(inside, { sandbox: this.name, file: tools.setpriv, args, inputs })
  }
}
