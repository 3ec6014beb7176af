import type { ActionResult } from '../../contracts/src/index.js'

const MOST_LISTED = 200
const SUBJECT_CHARS = 72

/** What a run did, as its commit and `hermes log` tell it. */
export interface RunSummary {
  blocks: number
  failures: number
  /** One line of at most 72 characters, without the `AI: ` before it. */
  subject: string
  /** One line a block. */
  lines: string[]
}

type Told = Pick<ActionResult, 'blockId' | 'action' | 'params' | 'success' | 'error'>

/** @param parseErrors how many blocks could not be read */
export function summarize(results: readonly Told[], parseErrors: number): RunSummary {
  const done = results.filter(({ success }) => success)
  const failures = results.length - done.length + parseErrors
  const lines = results.slice(0, MOST_LISTED).map(({ blockId, success, error, ...block }) => (
    `${success ? 'ok    ' : 'failed'} ${onOneLine(describe(block))} [${onOneLine(blockId)}]${error === undefined ? '' : `: ${onOneLine(error)}`}`
  ))
  if (results.length > MOST_LISTED) lines.push(`… and ${results.length - MOST_LISTED} more blocks`)
  if (parseErrors > 0) lines.push(`${parseErrors} ${parseErrors === 1 ? 'block' : 'blocks'} could not be read`)
  return { blocks: results.length + parseErrors, failures, subject: subjectOf(done), lines }
}

function subjectOf(done: readonly Told[]): string {
  const parts: string[] = []
  const changing = [...new Set(done.map(describe).map(onOneLine))]
  for (const [index, part] of changing.entries()) {
    const rest = changing.length - index - 1
    const tail = rest === 0 ? '' : ` and ${rest} more`
    if ([...parts, part].join(', ').length + tail.length + 'AI: '.length > SUBJECT_CHARS) {
      if (parts.length === 0) return `${part.slice(0, SUBJECT_CHARS - 16)}…${tail}`
      return `${parts.join(', ')} and ${changing.length - index} more`
    }
    parts.push(part)
  }
  return parts.join(', ') || 'no block succeeded'
}

/** The action, and the file it is about where one of its parameters names it. */
function describe({ action, params }: Pick<Told, 'action' | 'params'>): string {
  const path = ['path', 'new_path', 'destination', 'destinationPath', 'file_path'].map((name) => params[name])
    .find((value) => typeof value === 'string')
  return path === undefined ? action : `${action} ${path.split('/').slice(-2).join('/')}`
}

/** Text of a model in a commit message: no line breaks, no control characters. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 300)
}
