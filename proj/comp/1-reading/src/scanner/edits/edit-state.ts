import type { DialectFence } from '../../dialects/index.js'
import type { FenceOpener } from '../fences.js'
import type { ScanError } from '../items.js'

interface OpenEditBase {
  startLine: number
  /** Absolute offset of the opening line. */
  start: number
  /** Column of the opening line; at most that many columns are stripped from each line. */
  column: number
  /** Lines so far with their line ends; whatever they look like, they are content. */
  lines: string[]
  errors: ScanError[]
}

/** A SEARCH/REPLACE block. */
export interface OpenSearch extends OpenEditBase {
  format: 'search-replace'
  /** The opening sign with its count. */
  kind: string
  path: string | undefined
  /** Indices of the lines that may be the divider. */
  dividers: number[]
  /** It quotes a block with another count of signs, whose markers are content. */
  nested: boolean
  /** Number of the line that is nearly its REPLACE marker; 0 where none is. */
  nearEnd: number
  /** Start of the first quoted block: reading resumes there if this block never ends. */
  resume: { at: number; line: number } | undefined
  /** The line behind the second possible divider. */
  behindSecond: { at: number; line: number } | undefined
}

/** A V4A patch. */
export interface OpenPatch extends OpenEditBase {
  format: 'v4a'
}

/** A unified diff: it ends with its fence, or outside one with the first line that does not belong to it. */
export interface OpenDiff extends OpenEditBase {
  format: 'unified'
  inFence: boolean
  /** Lines of the old and the new file that the current hunk still announces. */
  old: number
  new: number
  /** A blank line followed a complete hunk: the next line decides whether the diff continues. */
  blank: boolean
  /** Whether a hunk or another change was seen. */
  changes: boolean
}

/** A fence whose text is taken literally. */
export interface OpenTakenFence extends OpenEditBase, FenceOpener {
  indent: number
  /** Only blank lines so far. */
  undecided: boolean
  /** Line of a fence opener inside, which makes the end of the text uncertain; 0 for none. */
  innerFence: number
}

/** A fence that is a call of a dialect. */
export interface OpenFenceCall extends OpenTakenFence {
  format: 'fence-call'
  call: DialectFence
}

/** A fence without a path, whose first line may name one. */
export interface OpenUnnamedFence extends OpenTakenFence {
  format: 'unnamed-fence'
  /** As in `OpenWholeFile`. */
  above: string | undefined
  /** The file that this text mentions. */
  spokenOf: string | undefined
  /** The call that the fence is if it names no file. */
  call: DialectFence | undefined
}

/** A fence with a known path: a whole file, unless its first line begins another edit. */
export interface OpenWholeFile extends OpenTakenFence {
  format: 'whole-file'
  path: string
  /** Text above the fence, without the line of its path: it may say that the fence shows the present file. */
  above: string | undefined
}

export type OpenEdit = OpenSearch | OpenPatch | OpenDiff | OpenWholeFile | OpenUnnamedFence | OpenFenceCall

/** The first line of a diff, kept until the next line decides. */
export interface DiffStart {
  line: number
  start: number
  column: number
  text: string
}

/** Edits in a fence: not known yet, some, or none. */
export type FenceEdits = 'unknown' | 'own' | 'none'
