import type { ActionResult } from '../../../0-contracts/src/index.js'
import type { Keeps } from './reply-lines.js'

/** One thing that a call gave: a file's text, one stream of a command, a listing. */
export interface Content {
  /** What it is, where a call gave several: `src/a.ts`, `stderr`, `exit code: 1`. */
  title?: string
  /** As they are; what is not safe to show is escaped when they are rendered. */
  lines: readonly string[]
  keeps: Keeps
  /** Lines in place of those left out, 1-based and both included: how many of how many, and the call that reads on. */
  omission(from: number, to: number): readonly string[]
  /** Of what was read: the path and the range, by which a session knows what its model has seen. */
  seenAs?: string
}

/** What a call gave, ready to be shown within a bound: in a reply, and alone by `renderCall`. */
export function contentsOf({ data }: Pick<ActionResult, 'action' | 'params' | 'ranAs' | 'data'>): Content[] {
  const lines = (JSON.stringify(data) ?? '').split('\n')
  return [{ lines, keeps: 'ends', omission: (from, to) => [`${to - from + 1} of ${lines.length} lines are left out.`] }]
}
