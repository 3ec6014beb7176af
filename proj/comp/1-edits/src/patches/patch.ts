import { caught } from '../../../0-contracts/src/index.js'

/** One line of a hunk. */
export interface HunkLine {
  /** `' '`: in the old and the new text, `'-'`: in the old only, `'+'`: in the new only. */
  sign: ' ' | '-' | '+'
  /** The line without sign and line feed; a carriage return before that is part of it. */
  text: string
  /** `\ No newline at end of file` follows: the line has no line feed. */
  bare?: boolean
}

export interface Hunk {
  /** 1-based line of the patch where the hunk begins. */
  line: number
  lines: HunkLine[]
  /**
   * Lines that the hunk must come after, outermost first: what stands after `@@` in V4A patches and in diffs that
   * models write.
   */
  anchors: string[]
  /** The hunk's last old line must be the last line of the file. */
  atEnd: boolean
  /** Number of blank lines without a sign at its end, which are either context or only spacing. */
  blankEnd?: number
  /** Only for unified diffs: line numbers of the header; `countsRight`: its counts agree with the lines. */
  range?: { oldStart: number; newStart: number; countsRight: boolean }
}

export type FileChangeKind = 'create' | 'modify' | 'delete' | 'rename' | 'copy'

/** The changes of a patch to one file. */
export interface FilePatch {
  kind: FileChangeKind
  /** 1-based line of the patch where the file's part begins. */
  line: number
  /**
   * The file to read, or to delete. Several where the patch is ambiguous (with and without the first directory): the
   * first one that exists counts. Empty for `create`.
   */
  oldPaths: string[]
  /** The file to write; `undefined` for `modify`, which writes the old one, and for `delete`. */
  newPath: string | undefined
  hunks: Hunk[]
  /** Only for `modify`: all lines are new, so that the patch creates the file where it is missing. */
  mayCreate?: true
  /** Whether the file becomes executable; `undefined`: unchanged. */
  executable?: boolean
}

/** The files of a patch in their order, or the problem that makes it unreadable. */
export type PatchReading =
  | { files: FilePatch[]; problem?: undefined }
  | { files?: undefined; problem: PatchProblem }

/** Why a patch cannot be read. */
export interface PatchProblem {
  /** What is wrong, without the line number. */
  message: string
  /** 1-based line of the patch. */
  line: number
  /** What to write instead. */
  hint: string
}

/** Thrown and caught within the readers. */
export class UnreadablePatch extends Error {
  constructor(readonly problem: PatchProblem) {
    super(problem.message)
  }
}

/** Catches the error of a reader and returns it as data. */
export function reading(read: () => FilePatch[]): PatchReading {
  return caught(UnreadablePatch, () => ({ files: read() }), (error) => ({ problem: error.problem }))
}

/** The lines that a hunk expects (`old`) or leaves (`new`). */
export function linesOf(hunk: Hunk, side: 'old' | 'new'): HunkLine[] {
  const other = side === 'old' ? '+' : '-'
  return hunk.lines.filter(({ sign }) => sign !== other)
}
