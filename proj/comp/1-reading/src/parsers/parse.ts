import { HermesError, READ_FORMATS, type ParseOutcome } from '../../../0-contracts/src/index.js'
import { BlockScanner, SECTION_REASONS, type ScanOptions } from '../scanner/index.js'
import { AnswerRules } from './answer-rules.js'
import { BlockReader } from './block-reader.js'
import type { ReadEvent } from './read-event.js'

/**
 * Reads all blocks of a text; pure: no I/O, no global state. What stands before an unmatched closing think tag is
 * thinking, so its blocks are skipped.
 */
export function parse(text: string, options: ScanOptions = {}): ParseOutcome {
  return parseChunks([text], options)
}

/** As `parse`, for a text in pieces; the result does not depend on the cuts. */
export function parseChunks(chunks: Iterable<string>, options: ScanOptions = {}): ParseOutcome {
  return outcomeOf(readChunks(chunks, options))
}

/** The events behind `parse`, in text order, for the executor. */
export function readEvents(text: string, options: ScanOptions = {}): ReadEvent[] {
  return readChunks([text], options).sort((a, b) => lineOf(a) - lineOf(b))
}

/** The line where what an event tells of begins. */
export function lineOf(event: ReadEvent): number {
  if (event.type === 'block' || event.type === 'skipped') return event.block.startLine
  if (event.type === 'stray-section-end') return event.error.startLine
  return event.errors[0]?.startLine ?? 0
}

function readChunks(chunks: Iterable<string>, options: ScanOptions): ReadEvent[] {
  checkFormats(options.editFormats ?? [])
  const events: ReadEvent[] = []
  /** Events before this index are already part of a section. */
  let settled = 0
  const reader = new BlockReader()
  const scanner = new BlockScanner((item) => {
    for (const event of reader.read(item)) {
      if (event.type === 'stray-section-end') {
        const first = events.findIndex((each, index) => index >= settled && lineOf(each) > event.since)
        const hidden = first < 0 ? [] : events.splice(first).flatMap((each) => asSkipped(each, event.role))
        for (const each of hidden) events.push(each)
        if (event.role === 'think') settled = events.length
      } else events.push(event)
    }
  }, options)
  for (const chunk of chunks) {
    if (typeof chunk !== 'string') {
      throw new HermesError('INVALID_OPTION', 'The text must be a string', { hint: "Give the model's answer." })
    }
    scanner.push(chunk)
  }
  scanner.end()
  // Applied last, since blocks that turned out to be thinking edit no file.
  const rules = new AnswerRules(options.editFormats)
  return rules.waits ? [...events.flatMap((event) => rules.take(event)), ...rules.end()] : events
}

function checkFormats(formats: readonly string[]): void {
  const unknown = formats.find((format) => !READ_FORMATS.some((readFormat) => readFormat === format))
  if (unknown === undefined) return
  const hint = `Formats: ${READ_FORMATS.join(', ')}.`
  throw new HermesError('INVALID_OPTION', `Unknown edit format: ${unknown}`, { hint })
}

function asSkipped(event: ReadEvent, role: 'think' | 'echo'): ReadEvent[] {
  const reason = SECTION_REASONS[role]
  if (event.type === 'skipped') return [event]
  if (event.type === 'block') {
    const { id, startLine, endLine } = event.block
    return [{ type: 'skipped', block: { startLine, endLine, reason, blockId: id } }]
  }
  if (event.type !== 'failed') return []
  const { blockId, startLine, endLine } = event
  return [{ type: 'skipped', block: { startLine, endLine, reason, ...(blockId !== undefined && { blockId }) } }]
}

/** Sorts events into lists, in text order. */
export function outcomeOf(events: readonly ReadEvent[]): ParseOutcome {
  const outcome: ParseOutcome = { blocks: [], errors: [], skipped: [], totalBlocks: 0 }
  for (const event of events) {
    if (event.type === 'skipped') outcome.skipped.push(event.block)
    else if (event.type === 'block') {
      outcome.blocks.push(event.block)
      outcome.totalBlocks++
    } else if (event.type !== 'stray-section-end') {
      for (const error of event.errors) outcome.errors.push(error)
      if (event.type === 'failed') outcome.totalBlocks++
    }
  }
  // Sections report at their end what began earlier; text order goes by the first line.
  outcome.errors.sort((a, b) => a.startLine - b.startLine)
  outcome.skipped.sort((a, b) => a.startLine - b.startLine)
  return outcome
}
