import type { ParsedBlock, ParseError, SkippedBlock } from '../../contracts/src/index.js'
import type { NearMissItem, ScanItem, SectionErrorItem } from '../../scanner/src/index.js'
import { readEdit } from './edit-block.js'
import { readEnvelopes } from './envelope.js'
import { failed, type Reading } from './reading.js'
import { readSham } from './sham-body.js'
import { readToolCall } from './tool-call.js'

/** What one scanned item turned out to be. */
export type ReadEvent =
  | { type: 'block'; block: ParsedBlock }
  /** A live block that failed to parse: counted once, however many errors it has. */
  | {
    type: 'failed'
    blockId: string | undefined
    startLine: number
    endLine: number
    errors: ParseError[]
    nearMiss: boolean
  }
  /** Errors of quoting sections: not counted as blocks, which are listed as skipped. */
  | { type: 'section-error'; errors: ParseError[] }
  | { type: 'skipped'; block: SkippedBlock }
  | { type: 'stray-think-end'; error: ParseError }

/** Turns scanned items into parsed blocks and errors, in text order; numbers the blocks that have no id. */
export class BlockReader {
  #withoutId = 0
  readonly #nextId = (): string => `b${++this.#withoutId}`

  read(item: ScanItem): ReadEvent[] {
    switch (item.kind) {
      case 'sham': return [readingEvent(readSham(item))]
      case 'envelope': return readEnvelopes(item, this.#nextId).map(readingEvent)
      case 'tool-call': return [readingEvent(readToolCall(item, this.#nextId))]
      case 'edit': return readEdit(item, this.#nextId).map(readingEvent)
      case 'near-miss': return [{ ...readFailed(item), nearMiss: true }]
      case 'section-error': return [{ type: 'section-error', errors: readFailed(item).errors }]
      case 'skipped': return [{ type: 'skipped', block: item.block }]
      case 'stray-think-end': return [
        { type: 'stray-think-end', error: strayThinkEnd(item.line, item.column, item.tag) },
      ]
    }
  }
}

export function readingEvent(reading: Reading): ReadEvent {
  if (reading.ok) return { type: 'block', block: reading.block }
  const { blockId, startLine, endLine, errors } = reading
  return { type: 'failed', blockId, startLine, endLine, errors, nearMiss: false }
}

function readFailed(item: NearMissItem | SectionErrorItem): Extract<ReadEvent, { type: 'failed' }> {
  const { blockId, startLine, endLine, source, errors } = item
  const reading = failed({ blockId, startLine, endLine, source }, errors)
  return { type: 'failed', blockId, startLine, endLine, errors: reading.ok ? [] : reading.errors, nearMiss: false }
}

function strayThinkEnd(line: number, column: number, tag: string): ParseError {
  return {
    startLine: line,
    source: tag,
    error: {
      code: 'STRAY_THINK_END',
      message: `${tag} closes nothing: all before it may have been thinking, and what ran stands`,
      line,
      column,
      length: tag.length,
      hint: 'Where the opening tag is not part of the text, set startsInThink (--starts-in-think).',
    },
  }
}
