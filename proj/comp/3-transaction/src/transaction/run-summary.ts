import type { ActionResult } from '../../../0-contracts/src/index.js'

const MOST_LISTED = 200
/** Most distinct changes to count. */
const MOST_COUNTED = 10_000
const SUBJECT_CHARS = 72
/** Longest path to show; of a longer one only the end. */
const PATH_CHARS = 44

/** Summary of a run for its commit and `hermes log`. */
export interface RunSummary {
  blocks: number
  failures: number
  /** One line of at most 72 characters, without the prefix `AI: `. */
  subject: string
  /** One line for each block. */
  lines: string[]
  /** For an undo or redo: not everything was restored, so it has to be continued. */
  isPartial?: boolean
  /** For an undo or redo: paths, as the journal stores them, that must not be committed as they are. */
  uncommitted?: string[]
}

export type Told = Pick<ActionResult, 'blockId' | 'action' | 'params' | 'ranAs' | 'success' | 'error'>

/** Directories to remove from paths: the root and its aliases. Absolute. */
export interface SummaryPlaces {
  root?: string
  rootAliases?: readonly string[]
}

/** @param parseErrors number of blocks that could not be read */
export function summarize(results: readonly Told[], parseErrors: number, places: SummaryPlaces = {}): RunSummary {
  const summary = new SummaryWriter(places)
  for (const result of results) summary.add(result)
  return summary.end(parseErrors)
}

/** Summarizes a run while it goes on, in bounded memory. */
export class SummaryWriter {
  readonly #bases: readonly string[]
  readonly #lines: string[] = []
  /** Distinct successful changes: the subject names the first and counts the others. */
  readonly #done = new Set<string>()
  /** There were more than are counted. */
  #isPartial = false
  #results = 0
  #failures = 0

  constructor({ root, rootAliases = [] }: SummaryPlaces = {}) {
    this.#bases = [...(root === undefined ? [] : [root]), ...rootAliases].map((base) => base.replace(/\/*$/, '/'))
  }

  add({ blockId, success, error, ...block }: Told): void {
    this.#results++
    const isListed = this.#results <= MOST_LISTED
    if (!success) this.#failures++
    if (!isListed && (!success || this.#isPartial)) return
    const told = onOneLine(describeBelow(this.#bases, block))
    if (isListed) {
      this.#lines.push(`${success ? 'ok    ' : 'failed'} ${told} `
        + `[${onOneLine(blockId)}]${error === undefined ? '' : `: ${onOneLine(error)}`}`)
    }
    if (!success) return
    if (this.#done.size < MOST_COUNTED) this.#done.add(told)
    else if (!this.#done.has(told)) this.#isPartial = true
  }

  /** @param parseErrors number of blocks that could not be read */
  end(parseErrors: number): RunSummary {
    const unlisted = this.#results - this.#lines.length
    const lines = [
      ...this.#lines,
      ...(unlisted > 0 ? [`… and ${unlisted} more blocks`] : []),
      ...(parseErrors > 0 ? [`${parseErrors} ${parseErrors === 1 ? 'block' : 'blocks'} could not be read`] : []),
    ]
    const subject = subjectOf([...this.#done], this.#isPartial ? 'over ' : '')
    return { blocks: this.#results + parseErrors, failures: this.#failures + parseErrors, subject, lines }
  }
}

function subjectOf(changing: readonly string[], about: string): string {
  const parts: string[] = []
  for (const [index, part] of changing.entries()) {
    const rest = changing.length - index - 1
    const tail = rest === 0 ? '' : ` and ${about}${rest} more`
    if ([...parts, part].join(', ').length + tail.length + 'AI: '.length > SUBJECT_CHARS) {
      if (parts.length === 0) return `${part.slice(0, SUBJECT_CHARS - 'AI: …'.length - tail.length)}…${tail}`
      return `${parts.join(', ')} and ${about}${changing.length - index} more`
    }
    parts.push(part)
  }
  return parts.join(', ') || 'no block succeeded'
}

/** The action, with its file if one of its parameters names it. */
function describeBelow(
  bases: readonly string[], { action, ...called }: Pick<Told, 'action' | 'params' | 'ranAs'>,
): string {
  const { params } = called.ranAs?.[0] ?? called
  const path = ['path', 'new_path', 'destination', 'destinationPath', 'file_path'].map((name) => params[name])
    .find((value) => typeof value === 'string')
  return path === undefined ? action : `${action} ${shortened(path, bases)}`
}

/** The path as the user would write it in the root. */
function shortened(path: string, bases: readonly string[]): string {
  const base = bases.find((folder) => path.startsWith(folder))
  const below = (base === undefined ? path : path.slice(base.length)).replace(/^\.\/+/, '')
  if (below.length <= PATH_CHARS) return below
  const end = below.slice(-PATH_CHARS)
  return `…${end.slice(Math.max(0, end.indexOf('/')))}`
}

/** A model's text made safe for a commit message: no line breaks, no control characters. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 300)
}
