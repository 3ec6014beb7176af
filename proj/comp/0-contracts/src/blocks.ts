import type { ErrorCode } from './codes.js'
import type { EditFormat } from './edit-formats.js'

/** How a block was written (contract section 1). */
export type BlockFormat = 'sham' | 'nesl' | 'envelope' | 'tool_call' | EditFormat

/** One request, read out of the text and parsed, not yet validated against a verb. */
export interface ParsedBlock {
  id: string
  format: BlockFormat
  /** Of a call in a wire format of models, its name (contract section 1, 'dialects'); its `format` is `tool_call`. */
  dialect?: string
  /** Values are texts, which stand for what the verb's schema says. */
  textValues?: true
  /** The verb as written; `''` when a SHAM/NESL block names none. */
  action: string
  /** As written; `action` included for SHAM/NESL, whose values are all strings. */
  params: Record<string, unknown>
  /** 1-based lines of the whole text. */
  startLine: number
  endLine: number
}

/** A block or part of one that could not be read; it never runs. Contract section 2. */
export interface ParseError {
  blockId?: string
  /** As in `ActionResult`. */
  runId?: string
  /** First and last line of the block, 1-based in the whole text. */
  startLine: number
  endLine: number
  /** The block's own text, at most 4 KiB. */
  source: string
  error: {
    code: ErrorCode
    message: string
    /** 1-based line of the whole text and 1-based UTF-16 column in it. */
    line: number
    column: number
    /** Length of the wrong part in UTF-16 units; 0 marks a place between characters. */
    length: number
    hint?: string
    /** What to write so that the block is well-formed, where one reading is possible. Nothing applies it unasked. */
    fix?: Fix
  }
}

/** Whole lines to put in place of others. Contract section 2. */
export interface Fix {
  /** 1-based in the whole text, both included; an `endLine` of `startLine - 1` inserts before `startLine`. */
  startLine: number
  endLine: number
  /** Without the last line break; an empty text takes the lines out. */
  text: string
}

/** Something that looks like a block at a place where blocks are quoted; never run. */
export interface SkippedBlock {
  startLine: number
  endLine: number
  reason: string
  blockId?: string
}

export interface ParseOutcome {
  /** Blocks that parsed, in text order. */
  blocks: ParsedBlock[]
  errors: ParseError[]
  skipped: SkippedBlock[]
  /** Live blocks found: those parsed and those that failed to; a near miss counts as one. */
  totalBlocks: number
}
