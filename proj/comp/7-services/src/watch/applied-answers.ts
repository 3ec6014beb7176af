import { existsSync, lstatSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { createWhole, TEMP_PREFIX, writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { isNodeError, orNothing, parseJson, unlessRefused } from '../../../0-contracts/src/index.js'
import { listRunIds, readRun, type RunRecord } from '../../../3-transaction/src/index.js'
import { mayLive, ownIdentity, PROCESS_IDENTITY } from '../../../2-processes/src/index.js'
import { ifThere } from '../if-there.js'

/** Most answers remembered, the newest ones. */
const MOST = 10_000
/** Least number of journals that are kept. */
const KEPT_JOURNALS = 100

const CLAIM = v.object({
  runId: v.string(), path: v.string(), begunAt: v.string(),
  owner: PROCESS_IDENTITY, endedAt: v.optional(v.string()),
})
type StoredClaim = v.InferOutput<typeof CLAIM>

/** The right of this process to run an answer. */
export interface Claim {
  runId: string
  /** Called when it has run. */
  end(): void
  /** Called if nothing of it was done, so that it may run again. */
  release(): void
}

/** Why an answer must not run. */
export interface Taken {
  /** `died`: its run died, and its changes stayed. `elsewhere`: another process is running it. */
  how: 'applied' | 'died' | 'elsewhere'
  runId: string
  at: string
}

/**
 * Records which answers have run in a root: a file for each attempt in `.hermes/watch/`, created atomically, so that of
 * several processes only one runs an answer, and none repeats it.
 */
export class AppliedAnswers {
  /**
   * @param root absolute, links resolved
   * @param most most answers remembered
   * @throws HermesError `POLICY_DENIED`; Node's errors
   */
  constructor(private readonly root: string, most = MOST) {
    this.#prune(most)
  }

  /** The directory, created again if somebody removed it: its records are lost then. */
  get #directory(): string {
    return stateDirectory(this.root, 'watch')
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
          release: () => ifThere(() => unlinkSync(file)),
        }
      }
      // A further attempt shows that this one did nothing, even if its journal is gone.
      const taken = existsSync(join(directory, `${hash}.${attempt + 1}.json`)) ? undefined : this.#takenBy(present)
      if (taken) return taken
    }
  }

  /** Whether a recorded attempt prevents another; `undefined` if it never started, or was rolled back completely. */
  #takenBy(claim: StoredClaim | 'damaged'): Taken | undefined {
    if (claim === 'damaged') return { how: 'died', runId: 'unknown', at: 'an unknown time' }
    const { runId, begunAt: at, owner, endedAt } = claim
    if (endedAt !== undefined) return { how: 'applied', runId, at }
    if (mayLive(owner)) return { how: 'elsewhere', runId, at }
    const run = this.#run(runId)
    // It died before its first block that changes something: it did nothing.
    if (run === undefined) return this.#mayBeForgotten(runId) ? { how: 'died', runId, at } : undefined
    // Restored by `hermes recover --restore`.
    if (run !== 'damaged' && run.end?.outcome === 'restored') return undefined
    return { how: 'died', runId, at }
  }

  /** Whether a run's journal may have been removed, as old ones are; ids begin with the time. */
  #mayBeForgotten(runId: string): boolean {
    const ids = listRunIds(this.root)
    return ids.length >= KEPT_JOURNALS && runId < (ids.at(-1) ?? '')
  }

  /** Whether a run has changed something, or may have. */
  hasBegun(runId: string): boolean {
    return this.#run(runId) !== undefined
  }

  #run(runId: string): RunRecord | 'damaged' | undefined {
    return unlessRefused(() => readRun(this.root, runId), 'damaged')
  }

  #prune(most: number): void {
    const directory = this.#directory
    const names = readdirSync(directory)
    for (const temp of names.filter((name) => name.startsWith(TEMP_PREFIX))) {
      // Those of running processes are recent.
      if (ageMs(join(directory, temp)) > 60_000) ifThere(() => unlinkSync(join(directory, temp)))
    }
    if (names.length <= most) return
    // All attempts of an answer are removed together: the last one decides, and is reached through those before it.
    const ages = new Map<string, number>()
    for (const name of names) {
      const hash = hashIn(name)
      ages.set(hash, Math.min(ages.get(hash) ?? Number.POSITIVE_INFINITY, ageMs(join(directory, name))))
    }
    const newest = [...ages].sort(([, a], [, b]) => a - b).slice(0, most)
    const kept = new Set(newest.map(([hash]) => hash))
    for (const name of names) if (!kept.has(hashIn(name))) ifThere(() => unlinkSync(join(directory, name)))
  }
}

/** @returns the existing claim, if there is one */
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
  // Do not follow a link, which may lead nowhere.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'damaged'
  const text = ifThere(() => readFileSync(file, 'utf8'))
  if (text === undefined) return undefined
  const claim = v.safeParse(CLAIM, parseJson(text))
  return claim.success ? claim.output : 'damaged'
}

function hashIn(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

function ageMs(file: string): number {
  return orNothing(() => Date.now() - statSync(file).mtimeMs, 0)
}
