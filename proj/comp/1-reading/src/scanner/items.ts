import type { EditFormat, ErrorCode, ParseError, SkippedBlock } from '../../../0-contracts/src/index.js'
import type { CallKeys, Dialect as CallDialect } from '../dialects/index.js'

/** Spelling of a SHAM-family header; each has its own markers. */
export type Dialect = 'SHAM' | 'NESL' | 'nesl'

/** One error of a `ParseError`. */
export type ScanError = ParseError['error']

/** An error of a line as a whole, or of what begins it. */
export function lineError(code: ErrorCode, line: number, message: string, hint: string, length = 0): ScanError {
  return { code, message, line, column: 1, length, hint }
}

/** Most of a block's own text in an item, in UTF-16 units; its errors carry as many bytes of UTF-8. */
export const SOURCE_LIMIT = 4096

/** Longest text for which fixes are searched, in UTF-16 units. */
export const MAX_FIXED = 100_000

/** Longest text beside a call on its lines that a fix repeats, in UTF-16 units. */
export const MAX_AROUND = 1000

interface LiveItem {
  startLine: number
  endLine: number
  /** Beginning of the block's own text, at most `SOURCE_LIMIT`. */
  source: string
  /** Structural errors; a block with any never runs. */
  errors: ScanError[]
  /** The end of the block is unknown: each opener in its lines gets an entry of its own. */
  isOpen?: boolean
}

/** A line of a SHAM/NESL body; lines of heredocs are left out. */
export interface BodyLine {
  line: number
  /** Number of characters stripped before `text`. */
  offset: number
  text: string
  /** The heredoc's value, if the line is a well-formed opener and the terminator was found. */
  heredoc?: string
}

export interface ShamItem extends LiveItem {
  kind: 'sham'
  dialect: Dialect
  /** Undefined where a malformed header has none. */
  id: string | undefined
  /** Empty for a malformed header, whose body is only recognised. */
  body: BodyLine[]
  /** The whole text of a block with one structural error, to prove a fix; only where it is longer than `source`. */
  text?: string
  /** The text ended inside it, so it may have been cut off. */
  atEnd?: true
  /** The line that ended it is indented, possibly by a list item in the prose above. */
  isInContainer?: true
}

export interface EnvelopeItem extends LiveItem {
  kind: 'envelope'
  language: string
  /** Content of the fence, without the indentation of container and fence. */
  content: string
  /** Number of the content's first line, and characters removed from each line. */
  contentLine: number
  contentOffset: number
}

export interface ToolCallItem extends LiveItem {
  kind: 'tool-call'
  /** Text between the tags. */
  content: string
  contentLine: number
  /** Characters before `content` on its first line. */
  contentOffset: number
  /** Text before the opening tag and behind the closing one on their lines, if short. */
  around?: { before: string; after: string }
}

/** A place in the text. */
export interface TextPlace {
  /** Absolute offset. */
  at: number
  line: number
  /** Distance of `at` from the start of its line. */
  offset: number
}

/** A parameter written as an element, with its raw text. */
export interface DialectField {
  key: string
  text: string
  /** Whether the dialect marks the text as JSON. */
  isJson: boolean
  /** Place where the text begins. */
  line: number
  offset: number
}

/** One call of a dialect; in JSON and Python possibly several. */
export interface DialectCallItem extends LiveItem {
  kind: 'dialect-call'
  dialect: CallDialect
  /** Line of the call's sentinel, which may be below its wrapper's. */
  sentinelLine: number
  /** Absent where the arguments name the tool. */
  name: string | undefined
  id: string | undefined
  body: 'fields' | 'json' | 'python' | 'statements' | 'command'
  fields: readonly DialectField[]
  /** JSON, Python calls or statements, or a command. */
  content: string
  contentLine: number
  contentOffset: number
  /** Names of the keys where the JSON names the tool. */
  keys?: readonly CallKeys[]
  /** Text before and behind the content on its lines, if short, and these line numbers. */
  around?: { before: string; after: string; startLine: number; endLine: number }
}

/** A block of an edit format. */
export interface EditItem extends LiveItem {
  kind: 'edit'
  /** Empty texts if there are errors; else whole lines with their line ends. */
  content: { [Format in EditFormat]: { format: Format } & EditContents[Format] }[EditFormat]
}

/** The content of a block by format. */
interface EditContents {
  'search-replace': { path: string; oldText: string; newText: string }
  /** The patch with its markers. */
  v4a: { patch: string }
  /** A diff of one file or several. */
  unified: { patch: string }
  whole: { path: string; content: string }
}

/** A single line that nearly is a marker: counts as a block, never runs. */
export interface NearMissItem extends LiveItem {
  kind: 'near-miss'
  blockId?: string
}

/** An error of a quoting section, whose blocks are listed as skipped and not counted. */
export interface SectionErrorItem extends LiveItem {
  kind: 'section-error'
  blockId?: string
}

interface SkippedItem {
  kind: 'skipped'
  block: SkippedBlock
  /** As in a live block. */
  isOpen?: boolean
}

/** An unmatched closing tag of a section: all text since `since` (0: the start) was thinking, or repeated input. */
export interface StraySectionEndItem {
  kind: 'stray-section-end'
  line: number
  column: number
  tag: string
  role: 'think' | 'echo'
  since: number
}

export type ScanItem = ShamItem | EnvelopeItem | ToolCallItem | DialectCallItem | EditItem | NearMissItem
  | SectionErrorItem | SkippedItem | StraySectionEndItem
