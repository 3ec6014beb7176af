import type { ActionResult } from '../../contracts/src/index.js'

const MOST_LISTED = 200
const SUBJECT_CHARS = 72
/** Of a longer path only the end is shown. */
const PATH_CHARS = 44

/** What a run did, as its commit and `hermes log` tell it. */
export interface RunSummary {
  blocks: number
  failures: number
  /** One line of at most 72 characters, without the `AI: ` before it. */
  subject: string
  /** One line a block. */
  lines: string[]
  /** Of an undo or redo: it could not put back everything, and is to be gone on with. */
  isPartial?: boolean
  /** Of an undo or redo: paths as the journal stores them that are not to be committed as they are. */
  uncommitted?: string[]
}

type Told = Pick<ActionResult, 'blockId' | 'action' | 'params' | 'success' | 'error'>

/** Directories whose names are left out of paths: the root, and what stands for it. Absolute. */
export interface SummaryPlaces {
  root?: string
  rootAliases?: readonly string[]
}

/** @param parseErrors how many blocks could not be read */
export function summarize(
  results: readonly Told[], parseErrors: number, { root, rootAliases = [] }: SummaryPlaces = {},
): RunSummary {
  const bases = [...(root === undefined ? [] : [root]), ...rootAliases].map((base) => base.replace(/\/*$/, '/'))
  const describe = (told: Pick<Told, 'action' | 'params'>): string => describeBelow(bases, told)
  const done = results.filter(({ success }) => success)
  const failures = results.length - done.length + parseErrors
  const lines = results.slice(0, MOST_LISTED).map(({ blockId, success, error, ...block }) => (
    `${success ? 'ok    ' : 'failed'} ${onOneLine(describe(block))} [${onOneLine(blockId)}]${error === undefined ? '' : `: ${onOneLine(error)}`}`
  ))
  if (results.length > MOST_LISTED) lines.push(`… and ${results.length - MOST_LISTED} more blocks`)
  if (parseErrors > 0) lines.push(`${parseErrors} ${parseErrors === 1 ? 'block' : 'blocks'} could not be read`)
  return { blocks: results.length + parseErrors, failures, subject: subjectOf(done.map(describe)), lines }
}

function subjectOf(done: readonly string[]): string {
  const parts: string[] = []
  const changing = [...new Set(done.map(onOneLine))]
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
function describeBelow(bases: readonly string[], { action, params }: Pick<Told, 'action' | 'params'>): string {
  const path = ['path', 'new_path', 'destination', 'destinationPath', 'file_path'].map((name) => params[name])
    .find((value) => typeof value === 'string')
  return path === undefined ? action : `${action} ${shortened(path, bases)}`
}

/** As the user would write it in the root. */
function shortened(path: string, bases: readonly string[]): string {
  const base = bases.find((one) => path.startsWith(one))
  const below = (base === undefined ? path : path.slice(base.length)).replace(/^\.\/+/, '')
  if (below.length <= PATH_CHARS) return below
  const end = below.slice(-PATH_CHARS)
  return `…${end.slice(Math.max(0, end.indexOf('/')))}`
}

/** Text of a model in a commit message: no line breaks, no control characters. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 300)
}
