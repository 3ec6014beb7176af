import { withAuto, type ParsedBlock, type ReadFormat } from '../../../0-contracts/src/index.js'
import { failed, type ReadEvent } from './read-event.js'

/**
 * A file is written whole or edited in one answer, not both: the whole file is refused, wherever in the answer the edit
 * stands. Whether one comes is known at the end of the text. Until then a whole file waits, and with it what follows,
 * since blocks run in text order: so a stream runs the same as the text at once. With no other edit format nothing
 * waits.
 */
export class WholeOrEdited {
  /** Where each file is edited first. */
  readonly #edited = new Map<string, number>()
  /** Nothing waits. */
  readonly isAlone: boolean
  #waiting: ReadEvent[] = []

  /** @param formats edit formats that are read */
  constructor(formats: readonly ReadFormat[] = []) {
    const all = withAuto(formats)
    this.isAlone = !all.has('whole') || all.size === 1
  }

  /** What of this and the events before it waits for nothing any more. */
  take(event: ReadEvent): readonly ReadEvent[] {
    if (this.isAlone) return [event]
    if (event.type === 'block') for (const path of editedPaths(event.block)) this.#note(path, event.block.startLine)
    if (this.#waiting.length === 0 && wholePath(event) === undefined) return [event]
    this.#waiting.push(event)
    return []
  }

  /** The text has ended: what still waited. */
  end(): ReadEvent[] {
    const events = this.#waiting.map((event) => this.#judged(event))
    this.#waiting = []
    return events
  }

  #note(path: string, line: number): void {
    const name = plainPath(path)
    this.#edited.set(name, this.#edited.get(name) ?? line)
  }

  #judged(event: ReadEvent): ReadEvent {
    const path = wholePath(event)
    const line = path === undefined ? undefined : this.#edited.get(plainPath(path))
    if (event.type !== 'block' || line === undefined) return event
    const { block: { id: blockId, startLine, endLine }, source = '' } = event
    return failed({ blockId, startLine, endLine, source }, [{
      code: 'INVALID_EDIT', message: `The block of line ${line} edits ${path} too`, line: startLine, column: 1,
      length: 0, hint: `Nothing was written by this one. Write ${path} whole, or edit it, in one answer.`,
    }])
  }
}

function wholePath(event: ReadEvent): string | undefined {
  if (event.type !== 'block' || event.block.format !== 'whole') return undefined
  const { path } = event.block.params
  return typeof path === 'string' ? path : undefined
}

function editedPaths({ format, params: { path, patch } }: ParsedBlock): string[] {
  if (format === 'search-replace') return typeof path === 'string' ? [path] : []
  if (typeof patch !== 'string') return []
  return [...patch.matchAll(PATCHED)].map((found) => (found[1] ?? found[2] ?? found[3])!)
}

/** The files that a patch of either format changes, makes, moves or deletes. */
const PATCHED = new RegExp(
  '^(?:\\*{3} (?:(?:Add|Update|Delete) File|Move to): (.{1,999}?)'
  + '|(?:--- (?:a/)?|\\+{3} (?:b/)?)(\\S[^\\t\\n]{0,999}?)|rename (?:from|to) (.{1,999}?))[ \\t]*\\r?$', 'gm',
)

/** `./src//a.ts` is `src/a.ts`. */
function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '').replace(/\/(?:\.?\/)+/g, '/')
}
