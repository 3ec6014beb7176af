/**
 * `ok`: as it should be. `note`: something that is not needed is not there. `warning`: hermes works, but worse than it
 * could. `problem`: runs fail.
 */
export type FindingStatus = 'ok' | 'note' | 'warning' | 'problem'

/** What one check found. */
export interface Finding {
  /** Stable, for programs: `node`, `git`, `sandbox`, … */
  id: string
  status: FindingStatus
  /** What was looked at, in a word or two. */
  title: string
  /** One line. */
  detail: string
  /** What to do; in each that is not `ok`. */
  fix?: string
}

export interface Examined {
  /** Existing, absolute. */
  root: string
  /** Address of the Redis server of a queue, if one is used. */
  queue?: string
  signal: AbortSignal
}

export type Check = (examined: Examined) => Promise<Finding[]>
