import type { ErrorCode } from './codes.js'
import type { EditFormat } from './edit-formats.js'

/** How a block was written; docs/formats.md describes each format. */
export type BlockFormat = 'sham' | 'nesl' | 'envelope' | 'tool_call' | EditFormat

/** One request, read out of the text and parsed, not yet validated against a verb. */
export interface ParsedBlock {
  id: string
  format: BlockFormat
  /** Name of the wire format (docs/dialects.md) that a model's call was written in; its `format` is `tool_call`. */
  dialect?: string
  /** All values came as strings; the verb's schema says which types they stand for. */
  textValues?: true
  /** The verb as written; `''` when a SHAM/NESL block names none. */
  action: string
  /** As written; for SHAM/NESL with `action`, and all values are strings. */
  params: Record<string, unknown>
  /** 1-based line of the whole text. */
  startLine: number
  endLine: number
}

/** A block or part of one that could not be read; it never runs. */
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
    /** 1-based line of the whole text. */
    line: number
    column: number
    /** Length of the wrong part in UTF-16 units; 0 marks a place between characters. */
    length: number
    hint?: string
    /** Lines that would make the block well-formed; only where a single reading is possible. Never applied unasked. */
    fix?: Fix
  }
}

/** Whole lines to put in place of others. */
export interface Fix {
  /** 1-based in the whole text, both included; an `endLine` of `startLine - 1` inserts before `startLine`. */
  startLine: number
  endLine: number
  /** Without the last line break; an empty text takes the lines out. */
  text: string
}

/** Something that looks like a block where blocks are only quoted (docs/formats.md); never run. */
export interface SkippedBlock {
  startLine: number
  endLine: number
  reason: string
  blockId?: string
}

/** What `parse` finds in a text. Lists are in text order. */
export interface ParseOutcome {
  /** Blocks that parsed, in text order. */
  blocks: ParsedBlock[]
  errors: ParseError[]
  skipped: SkippedBlock[]
  /** Number of live blocks: those that parsed and those that failed to; a near miss counts as one. */
  totalBlocks: number
}
