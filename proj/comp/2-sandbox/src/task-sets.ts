import { isNodeError } from '../../0-contracts/src/index.js'
import { valueAt } from '../../0-text/src/index.js'
import { TaskNamespaces, type NamespacesStart } from './task-namespaces.js'

/** Whether commands can be started in the namespaces of a task, by program; found out once in a process. */
const known = new Map<string, Promise<string | undefined>>()

type Sets = Map<boolean, Promise<TaskNamespaces | undefined>>

/** Ends what nobody ended before it was forgotten: a session that was never disposed of. */
const forgotten = new FinalizationRegistry<Sets>(sets => void endAll(sets))

/** The namespaces of one task: one set with the machine's network, one without. Begun with the first command. */
export class TaskSets {
  readonly #sets: Sets = new Map()
  #hasEnded = false
  /** Why each command has namespaces of its own, as the end of a sentence. */
  problem: string | undefined

  /** @param describe how they are made, or why they cannot be */
  constructor(private readonly describe: (network: boolean) => NamespacesStart | string) {
    forgotten.register(this, this.#sets)
  }

  /** `undefined` where each command needs namespaces of its own. */
  async for(network: boolean): Promise<TaskNamespaces | undefined> {
    if (this.#hasEnded || this.problem !== undefined) return undefined
    const current = await this.#sets.get(network)
    if (current?.isGone === false) return current
    const begun = this.#begin(network)
    this.#sets.set(network, begun)
    return begun
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await endAll(this.#sets)
  }

  async #begin(network: boolean): Promise<TaskNamespaces | undefined> {
    const how = this.describe(network)
    if (typeof how === 'string') return this.#without(how)
    try {
      const set = await TaskNamespaces.start(how)
      const key = `${how.bwrap} ${how.nsenter}`
      const why = await valueAt(known, key, () => set.problem())
      if (why === undefined && !this.#hasEnded) return set
      await set.end()
      return why === undefined ? undefined : this.#without(why)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return this.#without(isNodeError(error) ? `${how.bwrap} failed (${error.code})` : error.message)
    }
  }

  #without(problem: string): undefined {
    this.problem = problem
  }
}

async function endAll(sets: Sets): Promise<void> {
  const begun = await Promise.all(sets.values())
  sets.clear()
  await Promise.all(begun.map(set => set?.end()))
}
