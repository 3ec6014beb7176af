import { HermesError } from '../../../0-contracts/src/index.js'
import { problemOf } from '../backend.js'
import { HostNetwork, type NamespaceStart } from './host-network.js'

/** The namespace of those commands of a session that share none of a task; made for the first of them. */
export class SessionNetwork {
  #open: Promise<HostNetwork> | undefined
  #hasEnded = false

  constructor(private readonly hosts: readonly string[], private readonly start: () => NamespaceStart) {}

  /** @throws as `HostNetwork.open`; `CANCELLED` once the session has ended */
  async get(): Promise<HostNetwork> {
    if (this.#hasEnded) {
      throw new HermesError('CANCELLED', 'The session of this command has ended', {
        hint: 'Nothing can be run any more.',
      })
    }
    this.#open ??= HostNetwork.open(this.hosts, this.start())
    return this.#open
  }

  async end(): Promise<void> {
    const open = this.#open
    this.#hasEnded = true
    this.#open = undefined
    // One that never came to be has nothing to close.
    const [network] = await Promise.allSettled([open])
    if (network.status === 'fulfilled') network.value?.close()
  }
}

/** How long a first program may take, in milliseconds. */
const PROBE_MS = 10_000

/** Why no sandbox can be set up in it, as the end of a sentence. @param probe a program and its arguments */
export async function networkProblem(
  session: SessionNetwork, nsenter: string, probe: readonly string[],
): Promise<string | undefined> {
  try {
    const { entry } = await session.get()
    return await problemOf({
      program: nsenter, args: [...entry, ...probe], env: {}, timeoutMs: PROBE_MS,
    }, 'no sandbox can be set up in a network of its own')
  } catch (error) {
    if (error instanceof Error) return `a network of its own cannot be made: ${error.message}`
    throw error
  }
}
