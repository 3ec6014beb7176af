import type { EditFormat, ErrorCode, Fix, SkippedBlock } from '../../../0-contracts/src/index.js'
import type { CallKeys, Dialect as CallDialect } from '../dialects/index.js'

/** How a SHAM-family header was spelled; each has its own markers. */
export type Dialect = 'SHAM' | 'NESL' | 'nesl'

export interface ScanError {
  code: ErrorCode
  message: string
  /** 1-based, of the whole text. */
  line: number
  column: number
  length: number
  hint?: string
  fix?: Fix
}

/** Most of a block's own text that an item carries, in UTF-16 units; its errors carry as many bytes of UTF-8. */
export const SOURCE_LIMIT = 4096

/** Longest text, in UTF-16 units, in which a fix is looked for. */
export const MAX_FIXED = 100_000

/** Longest text beside a call on its lines that a fix of it repeats, in UTF-16 units. */
export const MAX_AROUND = 1000

interface LiveItem {
  startLine: number
  endLine: number
  /** The block's own text, at most `SOURCE_LIMIT` of it. */
  source: string
  /** Structural errors; a block with any never runs. */
  errors: ScanError[]
  /** Where the block ends is not known: each opener in its lines is an entry of its own. */
  isOpen?: boolean
}

/** One line of a SHAM/NESL body, heredoc contents left out. */
export interface BodyLine {
  line: number
  /** Characters stripped before `text`. */
  offset: number
  text: string
  /** The value, where the line is a well-formed opener and its terminator came. */
  heredoc?: string
}

export interface ShamItem extends LiveItem {
  kind: 'sham'
  dialect: Dialect
  /** Absent when a near-miss header names none. */
  id: string | undefined
  /** Empty for a near-miss header: its body is recognised, not read. */
  body: BodyLine[]
  /** All of the block's text, to prove a fix with: where it has one structural error and `source` is less. */
  text?: string
  /** The text ended with it open: it may have been cut off. */
  atEnd?: true
  /** The line that ended it is indented: a list item in the prose above may hold it. */
  isInContainer?: true
}

export interface EnvelopeItem extends LiveItem {
  kind: 'envelope'
  language: string
  /** The fence's content with container and fence indentation removed. */
  content: string
  /** Line of the content's first line, and characters removed before each line. */
  contentLine: number
  contentOffset: number
}

export interface ToolCallItem extends LiveItem {
  kind: 'tool-call'
  /** What stands between the tags. */
  content: string
  contentLine: number
  /** Characters before `content` on its first line. */
  contentOffset: number
  /** What stands before the opening tag and behind the closing one on their lines, where it is not long. */
  around?: { before: string; after: string }
}

/** A place in the text. */
export interface TextPlace {
  /** Absolute offset. */
  at: number
  line: number
  /** Of `at` from the start of its line. */
  offset: number
}

/** A parameter of a call written as an element, its text as it stands there. */
export interface DialectField {
  key: string
  text: string
  /** The dialect says that the text is JSON. */
  isJson: boolean
  /** Where the text begins. */
  line: number
  offset: number
}

/** One call of a dialect, or JSON and Python with several. */
export interface DialectCallItem extends LiveItem {
  kind: 'dialect-call'
  dialect: CallDialect
  /** Line of the call's own sentinel, below its wrapper's. */
  sentinelLine: number
  /** Absent where the arguments name the tool. */
  name: string | undefined
  id: string | undefined
  body: 'fields' | 'json' | 'python' | 'statements' | 'command'
  fields: readonly DialectField[]
  /** JSON, a call or a list of them in Python, Python's statements, or a command. */
  content: string
  contentLine: number
  contentOffset: number
  /** Which keys say what, where the JSON names the tool. */
  keys?: readonly CallKeys[]
  /** What stands before and behind the content on its lines, where it is not long, and these lines. */
  around?: { before: string; after: string; startLine: number; endLine: number }
}

/** A block of an edit format. */
export interface EditItem extends LiveItem {
  kind: 'edit'
  /** Empty texts where there are errors. Texts are whole lines with their own line ends. */
  content: { [Format in EditFormat]: { format: Format } & EditContents[Format] }[EditFormat]
}

/** What a block of each format says. */
interface EditContents {
  'search-replace': { path: string; oldText: string; newText: string }
  /** With its markers. */
  v4a: { patch: string }
  /** Of one file or several. */
  unified: { patch: string }
  whole: { path: string; content: string }
}

/** A lone line that nearly is a marker: counted as a block, never run. */
export interface NearMissItem extends LiveItem {
  kind: 'near-miss'
  blockId?: string
}

/** Something wrong with a quoting section; its blocks are listed as skipped and not counted. */
export interface SectionErrorItem extends LiveItem {
  kind: 'section-error'
  blockId?: string
}

export interface SkippedItem {
  kind: 'skipped'
  block: SkippedBlock
  /** As of a live block. */
  isOpen?: boolean
}

/** A closing tag of a section with nothing open: all since `since` (0: from the start) was thinking, or input. */
export interface StraySectionEndItem {
  kind: 'stray-section-end'
  line: number
  column: number
  tag: string
  role: 'think' | 'echo'
  since: number
}

export type BlockItem = ShamItem | EnvelopeItem | ToolCallItem | DialectCallItem | EditItem | NearMissItem
export type ScanItem = BlockItem | SectionErrorItem | SkippedItem | StraySectionEndItem
