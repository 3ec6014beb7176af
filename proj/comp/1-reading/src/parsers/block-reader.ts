import type { ParseError } from '../../../0-contracts/src/index.js'
import type { ScanItem } from '../scanner/index.js'
import { readEdit } from './edit-block.js'
import { readEnvelopes } from './envelope.js'
import { failed, type ReadEvent } from './read-event.js'
import { readSham } from './sham-body.js'
import { readToolCall } from './tool-call.js'

/** Turns scanned items into parsed blocks and errors, in text order; numbers the blocks that have no id. */
export class BlockReader {
  #withoutId = 0
  readonly #nextId = (): string => `b${++this.#withoutId}`

  read(item: ScanItem): ReadEvent[] {
    switch (item.kind) {
      case 'sham': return [readSham(item)]
      case 'envelope': return readEnvelopes(item, this.#nextId)
      case 'tool-call': return [readToolCall(item, this.#nextId)]
      case 'edit': return readEdit(item, this.#nextId)
      case 'near-miss': return [{ ...failed(item, item.errors), nearMiss: true }]
      case 'section-error': return [{ type: 'section-error', errors: failed(item, item.errors).errors }]
      case 'skipped': return [{ type: 'skipped', block: item.block }]
      case 'stray-think-end': return [
        { type: 'stray-think-end', error: strayThinkEnd(item.line, item.column, item.tag) },
      ]
    }
  }
}

function strayThinkEnd(line: number, column: number, tag: string): ParseError {
  return {
    startLine: line,
    endLine: line,
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
