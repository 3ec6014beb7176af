import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'

/** No sandbox: commands may do what the user may. They still get the passed environment only. */
export class NoBackend implements Backend {
  readonly name = 'none'
  readonly isIsolated = false
  readonly #place: SandboxPlace

  constructor(place: SandboxPlace) {
    this.#place = place
  }

  async problem(): Promise<undefined> {
    return undefined
  }

  confine({ file, args, cwd, env, isVerbatim = false, network = false }: ProgramCall): ConfinedProgram {
    return {
      sandbox: this.name, file, args, cwd, env: { ...this.#place.env(network), ...env }, isVerbatim, limits: undefined,
      explain: () => undefined,
    }
  }
}
