import type { EditVerb, ParseError } from '../../../0-contracts/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import type { EditItem, NearMissItem, ScanItem, ShamItem, StraySectionEndItem } from '../scanner/index.js'
import { readDialectCalls } from './dialect-call.js'
import { readEnvelopes } from './envelope.js'
import { proven, withoutFix } from './prove-fix.js'
import { failed, type ReadBlock, type ReadEvent } from './read-event.js'
import { readSham } from './sham-body.js'
import { lastAssignment, textOf } from './sham-fix.js'
import { splitDiff } from './split-diff.js'
import { readToolCall } from './tool-call.js'

const NUMBER = /^b([1-9]\d*)$/

/**
 * Most fixes to prove in one text, since each proof reads a block again. A text with more errors has a bigger problem.
 */
const MOST_PROVEN = 100

/** Turns scanned items into parsed blocks and errors, in text order; numbers the blocks that have no id. */
export class BlockReader {
  #withoutId = 0
  readonly #nextId = (): string => `b${++this.#withoutId}`
  #proven = 0
  /** Ids of blocks whose heredoc never ended: an end marker of the id that a fix adds below might end it. */
  readonly #inDoubt = new Set<string>()
  /** Id of the last SHAM/NESL block, if only its end marker is missing. */
  #mendable: string | undefined

  /** @param proves whether to prove fixes by reading their blocks again; false for that second reading */
  constructor(private readonly proves = true) {}

  read(item: ScanItem): ReadEvent[] {
    const before = this.#withoutId
    const events = this.#read(item)
    return this.#withoutId === before ? events : events.map((event) => this.#numbered(event, before))
  }

  /** @param before count of blocks without id before this event */
  #numbered(event: ReadEvent, before: number): ReadEvent {
    if (event.type !== 'block' && event.type !== 'failed') return event
    const number = NUMBER.exec((event.type === 'block' ? event.block.id : event.blockId) ?? '')?.[1]
    return Number(number) > before && Number(number) <= this.#withoutId ? { ...event, isNumbered: true } : event
  }

  #read(item: ScanItem): ReadEvent[] {
    switch (item.kind) {
      case 'sham': return [this.#readSham(item)]
      case 'envelope': return readEnvelopes(item, this.#nextId)
      case 'tool-call': return [readToolCall(item, this.#nextId)]
      case 'dialect-call': return readDialectCalls(item, this.#nextId)
      case 'edit': return readEdit(item, this.#nextId)
      case 'near-miss': return [this.#nearMiss(item)]
      case 'section-error': return [{ type: 'section-error', errors: failed(item, item.errors).errors }]
      case 'skipped': return [{ type: 'skipped', block: item.block }]
      case 'stray-section-end': return [
        { type: 'stray-section-end', error: straySectionEnd(item), role: item.role, since: item.since },
      ]
    }
  }

  #readSham(item: ShamItem): ReadBlock {
    const block = this.#withProvenFix(item)
    if (block.type === 'block' || item.id === undefined) return block
    if (this.#inDoubt.has(item.id)) return withoutFix(block)
    const first = block.errors[0]?.error
    if (first?.code === 'UNCLOSED_HEREDOC' && !first.fix) this.#inDoubt.add(item.id)
    return block
  }

  #withProvenFix(item: ShamItem): ReadBlock {
    const read = readSham(item, this.#proven < MOST_PROVEN)
    this.#mendable = undefined
    if (!this.proves || read.type === 'block') return read
    const text = read.errors[0]?.error.fix && textOf(item)
    if (text === undefined) return read
    if (++this.#proven > MOST_PROVEN) return withoutFix(read)
    const again = new BlockReader(false)
    const block = proven(read, text, (mended) => again.read(mended))
    const isMended = block.type === 'failed' && block.errors[0]?.error.fix !== undefined
    if (isMended && lastAssignment(item.body) === item.body.length - 1) this.#mendable = item.id
    return block
  }

  /** A stray end marker whose fix would close the block above; offered only where that block has no other error. */
  #nearMiss(item: NearMissItem): ReadBlock {
    const read = failed(item, item.errors)
    read.nearMiss = true
    return item.blockId !== undefined && item.blockId === this.#mendable
      && !this.#inDoubt.has(item.blockId) ? read : withoutFix(read)
  }
}

function straySectionEnd({ line, column, tag, role }: StraySectionEndItem): ParseError {
  const [what, hint] = role === 'think'
    ? [
      'all before it may have been thinking',
      'Where the opening tag is not part of the text, set startsInThink (--starts-in-think).',
    ] : [
      'what stands before it may repeat input',
      'Give the whole answer at once: then nothing of it runs that such a closing tag ends.',
    ]
  const message = `${tag} closes nothing: ${what}, and what ran stands`
  const error: ParseError['error'] = { code: 'STRAY_THINK_END', message, line, column, length: tag.length, hint }
  return { startLine: line, endLine: line, source: tag, error }
}

/**
 * Makes blocks of an edit (contract section 1): `edit_replace`, `apply_patch`, `patch_unified` or, of a whole file,
 * `write_file`. A diff of several files becomes a block for each.
 */
function readEdit(item: EditItem, nextId: () => string): ReadBlock[] {
  const { content, startLine, endLine, source, errors } = item
  if (errors.length > 0) return [failed({ blockId: nextId(), startLine, endLine, source }, errors)]
  const block = (action: EditVerb, params: Record<string, unknown>, from = startLine, to = endLine) => ({
    type: 'block' as const,
    block: { id: nextId(), format: content.format, action, params, startLine: from, endLine: to },
  })
  switch (content.format) {
    case 'search-replace':
      return [block('edit_replace', { path: content.path, old_text: content.oldText, new_text: content.newText })]
    case 'v4a': return [block('apply_patch', { patch: content.patch })]
    case 'unified': {
      let line = startLine
      return splitDiff(content.patch).map((patch) => {
        const first = line
        line += countBreaks(patch, 0, patch.length)
        return block('patch_unified', { patch }, first, Math.max(first, line - 1))
      })
    }
    // An empty fence makes an empty file, it never empties one.
    case 'whole': return [{
      source,
      ...content.content === '' ? block('edit_replace', { path: content.path, old_text: '', new_text: '' })
        : block('write_file', { path: content.path, content: content.content, create_directories: true }),
    }]
  }
}
