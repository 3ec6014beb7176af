import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { NamespaceCalls } from './namespace-call.js'
import type { NestedControl } from './nested-control.js'
import { undoing } from '../../2-files/src/index.js'
import { unshareArguments, type UnshareTools } from './unshare-arguments.js'
import { networkProblem, SessionNetwork, type NamespaceStart } from './network/index.js'
import { currentUser, locatedNsenter, probeUnshare } from './unshare-probe.js'
import { WITH_LOOPBACK } from './unshare-script.js'

/** The namespaces of bubblewrap by the programs of util-linux, which nearly every Linux has: no filter of calls. */
export class UnshareBackend implements Backend {
  readonly name = 'unshare'
  readonly isIsolated = false
  readonly #calls: NamespaceCalls
  readonly #network: SessionNetwork | undefined
  #tools: UnshareTools | undefined

  constructor(place: SandboxPlace) {
    this.#calls = new NamespaceCalls(place)
    if (place.hosts !== undefined) this.#network = new SessionNetwork(place.hosts, () => this.#ownNetwork())
  }

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'namespaces are for Linux only'
    const state = await probeUnshare()
    if (!state.works) return state.problem
    this.#tools = state.tools
    return undefined
  }

  async hostsProblem(): Promise<string | undefined> {
    const nsenter = locatedNsenter()
    if (nsenter === undefined) return 'nsenter (util-linux) is not installed'
    const { setpriv, unshare } = this.#need()
    return this.#network && networkProblem(this.#network, nsenter, [
      setpriv, '--pdeathsig', 'KILL', '--', unshare, '--user', '--map-root-user', '--mount', '--pid', '--fork', '--',
      '/bin/sh', '-c', ':',
    ])
  }

  async confine(call: ProgramCall, nested: NestedControl): Promise<ConfinedProgram> {
    const tools = this.#need()
    const own = call.network ? await this.#network?.get() : undefined
    const inside = this.#calls.plan(call, nested)
    const { args, inputs } = undoing(() => unshareArguments(inside, tools, currentUser()), inside.release)
    const start = own === undefined ? { file: tools.setpriv, args }
      : { file: locatedNsenter() ?? 'nsenter', args: [...own.entry, tools.setpriv, ...args] }
    return this.#calls.program(inside, { sandbox: this.name, ...start, inputs }, own?.proxy)
  }

  async end(): Promise<void> {
    await this.#network?.end()
  }

  #need(): UnshareTools {
    if (this.#tools === undefined) throw new Error('confine before problem')
    return this.#tools
  }

  #ownNetwork(): NamespaceStart {
    const { unshare, bash, loopback } = this.#need()
    return {
      program: unshare, args: [
        '--user', '--map-root-user', '--net', '--', bash, '--norc', '--noprofile', '-c', WITH_LOOPBACK, 'hermes',
        loopback,
      ],
    }
  }
}
