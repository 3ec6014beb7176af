import type { DialectFence } from '../../dialects/index.js'
import type { FenceOpener } from '../fences.js'
import type { ScanError } from '../items.js'

interface OpenEditBase {
  startLine: number
  /** Absolute offset of the opening line. */
  start: number
  /** Columns the opening line stands in; at most as many are stripped from each line. */
  column: number
  /** The lines so far with their own ends; their content wins over whatever they look like. */
  lines: string[]
  errors: ScanError[]
}

/** A SEARCH/REPLACE block. */
export interface OpenSearch extends OpenEditBase {
  format: 'search-replace'
  /** The opening sign, as often as it stands. */
  kind: string
  path: string | undefined
  /** Indices of the lines that may divide it. */
  dividers: number[]
  /** A block of another number of signs that this one quotes: its marks are content. */
  nested: boolean
  /** The line that nearly is its REPLACE marker; 0 where none is. */
  nearEnd: number
  /** Where the first of those begins: reading resumes there if this block never ends. */
  resume: { at: number; line: number } | undefined
  /** The line behind the second that may divide it. */
  behindSecond: { at: number; line: number } | undefined
}

/** A V4A patch. */
export interface OpenPatch extends OpenEditBase {
  format: 'v4a'
}

/** A unified diff: in a fence it ends with that, bare with the first line that belongs to none. */
export interface OpenDiff extends OpenEditBase {
  format: 'unified'
  inFence: boolean
  /** Lines of the old and the new file that the current hunk still announces. */
  old: number
  new: number
  /** A blank line came after a hunk that has all its lines: the next one shows whether the diff goes on. */
  blank: boolean
  /** A hunk or another change was seen. */
  changes: boolean
}

/** A fence whose text is taken as it is. */
export interface OpenTakenFence extends OpenEditBase, FenceOpener {
  indent: number
  /** Only blank lines so far. */
  undecided: boolean
  /** Line of a fence opener inside, which leaves in doubt where the text ends. */
  innerFence: number
}

/** A fence that is a call of a dialect. */
export interface OpenFenceCall extends OpenTakenFence {
  format: 'fence-call'
  call: DialectFence
}

/** A fence without a path: its first line may name one. */
export interface OpenUnnamedFence extends OpenTakenFence {
  format: 'unnamed-fence'
  /** As of `OpenWholeFile`. */
  above: string | undefined
  /** The file that this text speaks of. */
  spokenOf: string | undefined
  /** What it is if it names none. */
  call: DialectFence | undefined
}

/** A fence whose path is known: a whole file, unless its first line begins another edit. */
export interface OpenWholeFile extends OpenTakenFence {
  format: 'whole-file'
  path: string
  /** The text above it, its path's line apart: it may say that the fence shows what is there. */
  above: string | undefined
}

export type OpenEdit = OpenSearch | OpenPatch | OpenDiff | OpenWholeFile | OpenUnnamedFence | OpenFenceCall

/** The first line of a diff, kept until the next one shows what it is. */
export interface DiffStart {
  line: number
  start: number
  column: number
  text: string
}

/** What edits a fence may hold: still to be seen, some, or none. */
export type FenceEdits = 'unknown' | 'own' | 'none'
