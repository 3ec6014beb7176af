/**
 * One thing that a report for CI tells of: a block, a text that could not be read, a hook, a transcript. JUnit makes a
 * test case of it, the annotations of GitHub and SARIF a finding of what is not well.
 */
export interface CiItem {
  /** `error`: it could not be run at all. */
  outcome: 'passed' | 'failed' | 'error' | 'skipped'
  name: string
  /** What an annotation of it is headed with, where that is not that it failed. */
  title?: string
  /** The text it stands in, as the user named it; absent for standard input. */
  file?: string | undefined
  /** 1-based, in that text. */
  line?: number | undefined
  endLine?: number | undefined
  durationMs: number
  /** Of what did not pass: a code (`docs/codes.md`) or the kind of drift. */
  code?: string | undefined
  /** One line. */
  message?: string | undefined
  /** All there is to know of it, in lines. */
  details?: string | undefined
  /** What to know although it passed. */
  notes?: readonly string[]
  /** What JUnit has as properties. */
  properties?: readonly { name: string; value: string }[]
}
