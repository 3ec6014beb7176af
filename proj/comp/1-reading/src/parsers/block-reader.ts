import type { ParseError } from '../../../0-contracts/src/index.js'
import type { ScanItem, StraySectionEndItem } from '../scanner/index.js'
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
      case 'stray-section-end': return [
        { type: 'stray-section-end', error: straySectionEnd(item), role: item.role, since: item.since },
      ]
    }
  }
}

function straySectionEnd({ line, column, tag, role }: StraySectionEndItem): ParseError {
  return {
    startLine: line,
    endLine: line,
    source: tag,
    error: {
      code: 'STRAY_THINK_END',
      message: role === 'think' ? `${tag} closes nothing: all before it may have been thinking, and what ran stands`
        : `${tag} closes nothing: what stands before it may repeat input, and what ran stands`,
      line,
      column,
      length: tag.length,
      hint: role === 'think' ? 'Where the opening tag is not part of the text, set startsInThink (--starts-in-think).'
        : 'Give the whole answer at once: then nothing of it runs that such a closing tag ends.',
    },
  }
}
