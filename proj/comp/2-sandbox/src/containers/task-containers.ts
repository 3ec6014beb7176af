import { HermesError, Turns } from '../../../0-contracts/src/index.js'
import { isMarkGone } from '../../../2-processes/src/index.js'
import type { NestedControl } from '../nested-control.js'
import type { ContainerMounts, MountPlan } from './container-mounts.js'
import type { ContainerStart } from './container-engines.js'
import { isRootless, sweepContainers, TaskContainer, type EngineClient } from './task-container.js'

/** A container for a command. */
export interface Ready {
  container: TaskContainer
  /** What the model has to know of it, where it is not that of the call before. */
  news: string | undefined
}

const LOST = 'what was installed in the last one, its /tmp and what ran in it are gone.'
const APART = 'Commands with the network and those without run in two containers: what is installed in one, and what '
  + 'lies in its /tmp, is not in the other.'

/** By engine: what an earlier hermes left behind is looked for once in a process. */
const swept = new Set<string>()

/** Ends what nobody ended before it was forgotten: a session that was never disposed of. */
const forgotten = new FinalizationRegistry<Map<boolean, TaskContainer>>(containers => {
  for (const container of containers.values()) void container.end()
})

/** What is the same of all containers of a task. */
export type CommonStart = Omit<ContainerStart, 'name' | 'owner' | 'mounts' | 'network'>

/**
 * The containers of one task: one with the network, one without, each made when a command first needs it. What is
 * mounted in a container that runs cannot be changed: where it has to be, all are ended and made anew.
 */
export class TaskContainers {
  readonly #start: CommonStart
  readonly #running = new Map<boolean, TaskContainer>()
  readonly #lookAgain = new Set<() => void>()
  #current: ContainerMounts | undefined
  /** One after the other: two commands that begin at once get one container. */
  readonly #turns = new Turns()
  #isRootless: boolean | undefined
  #hasEnded = false

  constructor(private readonly client: EngineClient, private readonly plan: MountPlan, common: CommonStart) {
    this.#start = common
    forgotten.register(this, this.#running)
  }

  /** @throws HermesError as `TaskContainer.start` and `MountPlan.now`; `CHANGED_ON_DISK`, `CANCELLED` */
  for(verb: string, network: boolean, nested: NestedControl): Promise<Ready> {
    return this.#turns.take(() => this.#for(verb, network, nested))
  }

  /** Whether commands have left nothing running in a container that could still make something. */
  async isQuiet(container: TaskContainer): Promise<boolean> {
    const isQuiet = await container.isQuiet()
    if (isQuiet && this.#running.size === 1) this.#look()
    return isQuiet
  }

  /** A command has ended and left something running: what that makes is looked for once it has ended too. */
  lookLater(look: () => void): void {
    this.#lookAgain.add(look)
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#turns.take(() => this.#endAll())
  }

  async #for(verb: string, network: boolean, nested: NestedControl): Promise<Ready> {
    if (this.#hasEnded) {
      throw new HermesError('CANCELLED', `${verb}: its task has ended`, { hint: 'Nothing can be run any more.' })
    }
    const why = await this.#whyAnew(verb, network, nested)
    const current = this.#running.get(network)
    if (why === undefined && current !== undefined) return { container: current, news: undefined }
    if (!swept.has(this.client.name)) {
      swept.add(this.client.name)
      await sweepContainers(this.client, isMarkGone)
    }
    const isOther = this.#running.size > 0
    const container = await this.#begin(verb, network, nested)
    return { container, news: why === undefined ? (isOther ? APART : undefined) : `${why}: ${LOST}` }
  }

  /** Ends what cannot serve any more. @returns why that was so, as the beginning of a sentence */
  async #whyAnew(verb: string, network: boolean, nested: NestedControl): Promise<string | undefined> {
    if (this.#current === undefined) return undefined
    const needed = this.plan.now(verb, nested)
    needed.release()
    if (needed.key !== this.#current.key) {
      await this.#endAll()
      return 'What has to stay read-only in the root has changed, so this ran in a new container'
    }
    const current = this.#running.get(network)
    if (current === undefined || await current.isUp()) return undefined
    await current.end()
    this.#running.delete(network)
    return 'The container had ended, so this ran in a new one'
  }

  async #begin(verb: string, network: boolean, nested: NestedControl): Promise<TaskContainer> {
    const mounts = this.#current ?? this.plan.now(verb, nested)
    this.#current = mounts
    try {
      this.#isRootless ??= await isRootless(this.client)
      const container = await TaskContainer.start(verb, this.client, {
        ...this.#start, ...(this.#isRootless && { user: undefined }), mounts: mounts.mounts, network,
      })
      this.#running.set(network, container)
      // The engine finds what it mounts by its path: that must have led to the same all the time.
      const after = this.plan.now(verb, nested)
      after.release()
      if (after.key === mounts.key) return container
      throw new HermesError('CHANGED_ON_DISK', `${verb}: what the container shows changed while it was made`, {
        hint: 'Nothing was run: send the block again.',
      })
    } catch (error) {
      if (this.#running.size === 0 || (error instanceof HermesError && error.code === 'CHANGED_ON_DISK')) {
        await this.#endAll()
      }
      throw error
    }
  }

  async #endAll(): Promise<void> {
    const all = [...this.#running.values()]
    this.#running.clear()
    await Promise.all(all.map(container => container.end()))
    this.#current?.release()
    this.#current = undefined
    this.#look()
  }

  #look(): void {
    for (const look of this.#lookAgain) look()
    this.#lookAgain.clear()
  }
}
