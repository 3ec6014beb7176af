import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import type { Backend } from './backend.js'
import type { NestedControl } from './nested-control.js'

/** The first of several ways that works; of those that do not, each says why. */
export class FirstBackend implements Backend {
  readonly isIsolated = false
  readonly #backends: readonly [Backend, ...Backend[]]
  #chosen: Backend

  constructor(backends: readonly [Backend, ...Backend[]]) {
    this.#backends = backends
    this.#chosen = backends[0]
  }

  get name(): Backend['name'] {
    return this.#chosen.name
  }

  async problem(): Promise<string | undefined> {
    const problems: string[] = []
    for (const backend of this.#backends) {
      const problem = await backend.problem()
      if (problem === undefined) {
        this.#chosen = backend
        return undefined
      }
      problems.push(problem)
    }
    return [...new Set(problems)].join('; ')
  }

  async end(): Promise<void> {
    await Promise.all(this.#backends.map(backend => backend.end?.()))
  }

  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram | Promise<ConfinedProgram> {
    return this.#chosen.confine(call, nested)
  }
}
