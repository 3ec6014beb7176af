import { allFormats, type ParsedBlock, type ReadFormat } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { readsOneCall } from '../dialects/index.js'
import { lineError } from '../scanner/index.js'
import { failed, type ReadEvent } from './read-event.js'

/**
 * Rules that need the whole answer. A file may be written whole or edited in one answer, not both: the whole file is
 * refused, wherever the edit stands. Of calls that must be alone in an answer, none of several runs. Such a block is
 * held back until the end of the text, with all that follows, since blocks run in text order; a stream thus runs the
 * same as the text at once. Where no such block is possible, nothing is held back.
 */
export class AnswerRules {
  /** Line of the first edit of each file. */
  readonly #edited = new Map<string, number>()
  readonly waits: boolean
  /** Lines of calls that must be alone. */
  readonly #singles: number[] = []
  #waiting: ReadEvent[] = []

  /** @param formats edit formats and dialects that are read */
  constructor(formats: readonly ReadFormat[] = []) {
    const all = allFormats(formats)
    this.waits = (all.has('whole') && all.size > 1) || readsOneCall(all)
  }

  /** Takes an event; returns the events that can be released now. */
  take(event: ReadEvent): readonly ReadEvent[] {
    if (!this.waits) return [event]
    if (event.type === 'block') {
      const { startLine } = event.block
      for (const path of editedPaths(event.block)) valueAt(this.#edited, plainPath(path), () => startLine)
      if (event.isSingle) this.#singles.push(startLine)
    } else if (event.type === 'failed' && event.isSingle) this.#singles.push(event.startLine)
    if (this.#waiting.length === 0 && wholePath(event) === undefined && !isSingle(event)) return [event]
    this.#waiting.push(event)
    return []
  }

  /** The text has ended: releases the rest. */
  end(): ReadEvent[] {
    const events = this.#waiting.map((event) => this.#judged(event))
    this.#waiting = []
    return events
  }

  #judged(event: ReadEvent): ReadEvent {
    if (event.type !== 'block') return event
    if (event.isSingle && this.#singles.length > 1) return this.#refused(event)
    const path = wholePath(event)
    const line = path === undefined ? undefined : this.#edited.get(plainPath(path))
    if (line === undefined) return event
    const { block: { id: blockId, startLine, endLine }, source = '' } = event
    const hint = `Nothing was written by this one. Write ${path} whole, or edit it, in one answer.`
    const error = lineError('INVALID_EDIT', startLine, `The block of line ${line} edits ${path} too`, hint)
    return failed({ blockId, startLine, endLine, source }, [error])
  }

  #refused({ block, source = '' }: Extract<ReadEvent, { type: 'block' }>): ReadEvent {
    const { id: blockId, startLine, endLine, dialect = '' } = block
    const lines = this.#singles.slice(0, MOST_LINES).join(', ')
    return failed({ blockId, startLine, endLine, source }, [lineError('INVALID_TOOL_CALL', startLine,
      `${dialect} takes exactly one action in an answer, here are ${this.#singles.length} (lines ${lines})`,
      'None of them ran. Write all commands of the shell in one fence, joined by && or each on its line.')])
  }
}

/** Most lines that an error lists. */
const MOST_LINES = 5

function isSingle(event: ReadEvent): boolean {
  return event.type === 'block' && event.isSingle === true
}

function wholePath(event: ReadEvent): string | undefined {
  if (event.type !== 'block' || event.block.format !== 'whole') return undefined
  const { path } = event.block.params
  return typeof path === 'string' ? path : undefined
}

function editedPaths({ format, params: { path, patch } }: ParsedBlock): string[] {
  if (format === 'search-replace') return typeof path === 'string' ? [path] : []
  if (typeof patch !== 'string') return []
  return [...patch.matchAll(PATCHED)].map((match) => (match[1] ?? match[2] ?? match[3])!)
}

/** Lines of a patch, in either format, that name a file it changes, creates, moves or deletes. */
const PATCHED = new RegExp(
  '^(?:\\*{3} (?:(?:Add|Update|Delete) File|Move to): (.{1,999}?)'
  + '|(?:--- (?:a/)?|\\+{3} (?:b/)?)(\\S[^\\t\\n]{0,999}?)|rename (?:from|to) (.{1,999}?))[ \\t]*\\r?$', 'gm',
)

/** Normalizes a path: `./src//a.ts` becomes `src/a.ts`. */
function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '').replace(/\/(?:\.?\/)+/g, '/')
}
