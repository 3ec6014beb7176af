/** One line of a hunk. */
export interface HunkLine {
  /** `' '`: in the old and the new text, `'-'`: in the old only, `'+'`: in the new only. */
  sign: ' ' | '-' | '+'
  /** Without its sign and line feed; a carriage return before that belongs to it. */
  text: string
  /** `\ No newline at end of file` follows: no line feed ends it. */
  bare?: boolean
}

export interface Hunk {
  /** 1-based line of the patch on which it begins. */
  line: number
  lines: HunkLine[]
  /** The lines it must come after, outermost first: what a V4A patch, or a model's `@@`, says after `@@`. */
  anchors: string[]
  /** Its last old line is the last of the file. */
  atEnd: boolean
  /** Blank lines without a sign that follow it: context, or only there to set off what comes next. */
  blankEnd?: number
  /** Unified diffs: the line numbers of its header, and whether the counts there are those of its lines. */
  range?: { oldStart: number; newStart: number; countsRight: boolean }
}

export type FileChangeKind = 'create' | 'modify' | 'delete' | 'rename' | 'copy'

/** What a patch does to one file. */
export interface FilePatch {
  kind: FileChangeKind
  /** 1-based line of the patch on which it begins. */
  line: number
  /**
   * The file that is read; the one to delete. Several where the patch leaves open which is meant (with and without the
   * first directory): the first that exists. `undefined` for `create`.
   */
  oldPaths: string[]
  /** The file that is written: for `modify` the same as the old one, hence empty, and for `delete`. */
  newPath: string | undefined
  hunks: Hunk[]
  /** For `modify`: where no such file exists the patch makes it, from nothing but new lines. */
  mayCreate?: true
  /** Whether the file is to be executable from now on; `undefined` leaves it as it is. */
  executable?: boolean
}

/** A patch, file by file in its own order, or what makes it no patch. */
export type PatchReading =
  | { files: FilePatch[]; problem?: undefined }
  | { files?: undefined; problem: PatchProblem }

/** Why a patch cannot be read. */
export interface PatchProblem {
  /** What is wrong, without the line. */
  message: string
  /** 1-based line of the patch. */
  line: number
  /** What to write instead. */
  hint: string
}

/** Thrown inside the readers only. */
export class UnreadablePatch extends Error {
  readonly problem: PatchProblem

  constructor(message: string, line: number, hint: string) {
    super(message)
    this.problem = { message, line, hint }
  }
}

/** What a reader throws, as data. */
export function reading(read: () => FilePatch[]): PatchReading {
  try {
    return { files: read() }
  } catch (error) {
    if (error instanceof UnreadablePatch) return { problem: error.problem }
    throw error
  }
}

/** The lines a hunk expects, or leaves. */
export function linesOf(hunk: Hunk, side: 'old' | 'new'): HunkLine[] {
  const other = side === 'old' ? '+' : '-'
  return hunk.lines.filter(({ sign }) => sign !== other)
}
