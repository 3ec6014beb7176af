import { existsSync, lstatSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { createWhole, TEMP_PREFIX, writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { listRunIds, readRun, type RunRecord } from '../../../3-transaction/src/index.js'
import { mayLive, ownIdentity, PROCESS_IDENTITY } from '../../../2-processes/src/index.js'

/** Answers that are remembered, the newest. */
const MOST = 10_000
/** Journals that are kept at least. */
const KEPT_JOURNALS = 100

const CLAIM = v.object({
  runId: v.string(), path: v.string(), begunAt: v.string(),
  owner: PROCESS_IDENTITY, endedAt: v.optional(v.string()),
})
type StoredClaim = v.InferOutput<typeof CLAIM>

/** An answer that is this process's to run. */
export interface Claim {
  runId: string
  /** It has run. */
  end(): void
  /** Nothing of it was done: it may be run again. */
  release(): void
}

/** Why an answer is not to be run. */
export interface Taken {
  /** `died`: its run died, and what it did was kept. `elsewhere`: another process is running it. */
  how: 'applied' | 'died' | 'elsewhere'
  runId: string
  at: string
}

/**
 * Which answers have run in a root: a file for each try in `.hermes/watch/`, made in one step, so that of any number of
 * processes one runs an answer, and none runs it again.
 */
export class AppliedAnswers {
  readonly #root: string

  /**
   * @param root canonical
   * @param most answers that are remembered
   * @throws HermesError `POLICY_DENIED`; Node's errors
   */
  constructor(root: string, most = MOST) {
    this.#root = root
    this.#prune(most)
  }

  /** Made anew where somebody has removed it meanwhile: what it said is forgotten then. */
  get #directory(): string {
    return stateDirectory(this.#root, 'watch')
  }

  /** @param hash see `answerHash` */
  claim(hash: string, runId: string, path: string): Claim | Taken {
    const begunAt = new Date().toISOString()
    const stored: StoredClaim = { runId, path, begunAt, owner: ownIdentity() }
    const directory = this.#directory
    for (let attempt = 1; ; attempt++) {
      const name = `${hash}.${attempt}.json`
      const file = join(directory, name)
      const present = read(file) ?? make(file, stored)
      if (present === undefined) {
        return {
          runId,
          end: () =>
            writeOwn(join(this.#directory, name), JSON.stringify({ ...stored, endedAt: new Date().toISOString() })),
          release: () => orGone(() => unlinkSync(file)),
        }
      }
      // Another attempt says that this one came to nothing, also where its journal is no longer there to tell.
      const taken = existsSync(join(directory, `${hash}.${attempt + 1}.json`)) ? undefined : this.#takenBy(present)
      if (taken) return taken
    }
  }

  /** `undefined`: it was never begun, or was put back as a whole, so that it may be tried again. */
  #takenBy(claim: StoredClaim | 'damaged'): Taken | undefined {
    if (claim === 'damaged') return { how: 'died', runId: 'unknown', at: 'an unknown time' }
    const { runId, begunAt: at, owner, endedAt } = claim
    if (endedAt !== undefined) return { how: 'applied', runId, at }
    if (mayLive(owner)) return { how: 'elsewhere', runId, at }
    const run = this.#run(runId)
    // It died before the first block that changes something: it did nothing.
    if (run === undefined) return this.#mayBeForgotten(runId) ? { how: 'died', runId, at } : undefined
    // By `hermes recover --restore`.
    if (run !== 'damaged' && run.end?.outcome === 'restored') return undefined
    return { how: 'died', runId, at }
  }

  /** Journals of old runs are removed; ids begin with the time. */
  #mayBeForgotten(runId: string): boolean {
    const ids = listRunIds(this.#root)
    return ids.length >= KEPT_JOURNALS && runId < (ids.at(-1) ?? '')
  }

  /** Whether a run has, or may have, changed something. */
  hasBegun(runId: string): boolean {
    return this.#run(runId) !== undefined
  }

  #run(runId: string): RunRecord | 'damaged' | undefined {
    try {
      return readRun(this.#root, runId)
    } catch (error) {
      if (error instanceof HermesError) return 'damaged'
      throw error
    }
  }

  #prune(most: number): void {
    const directory = this.#directory
    const names = readdirSync(directory)
    for (const temp of names.filter((name) => name.startsWith(TEMP_PREFIX))) {
      // Of one that is at work right now it is a moment old.
      if (ageMs(join(directory, temp)) > 60_000) orGone(() => unlinkSync(join(directory, temp)))
    }
    if (names.length <= most) return
    // All attempts of an answer go together: the last decides, and those before it lead to it.
    const ages = new Map<string, number>()
    for (const name of names) {
      const hash = hashIn(name)
      ages.set(hash, Math.min(ages.get(hash) ?? Number.POSITIVE_INFINITY, ageMs(join(directory, name))))
    }
    const newest = [...ages].sort(([, one], [, other]) => one - other).slice(0, most)
    const kept = new Set(newest.map(([hash]) => hash))
    for (const name of names) if (!kept.has(hashIn(name))) orGone(() => unlinkSync(join(directory, name)))
  }
}

/** @returns what is there already */
function make(file: string, claim: StoredClaim): StoredClaim | 'damaged' | undefined {
  for (;;) {
    try {
      createWhole(file, JSON.stringify(claim), { mode: 0o600 })
      return undefined
    } catch (error) {
      if (!isNodeError(error) || error.code !== 'EEXIST') throw error
    }
    const present = read(file)
    if (present !== undefined) return present
  }
}

function read(file: string): StoredClaim | 'damaged' | undefined {
  // A link is not followed: it may lead nowhere.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'damaged'
  try {
    return v.parse(CLAIM, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    return 'damaged'
  }
}

function hashIn(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

function ageMs(file: string): number {
  return orNothing(() => Date.now() - statSync(file).mtimeMs, 0)
}

function orGone(task: () => void): void {
  try {
    task()
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOENT') throw error
  }
}
