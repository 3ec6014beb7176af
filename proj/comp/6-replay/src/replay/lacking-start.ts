import type { StartingPath } from '../../../2-transcripts/src/index.js'
import type { Comparison } from './compare/compare.js'

/** What a recording lacks of the state that a block started from, for a block whose result differs. */
export interface Lacking {
  /** The block certainly used it, so the difference means nothing. */
  reason?: string
  /** A program may have read it unnoticed: the difference counts, and may be due to this. */
  unseen?: string
}

const MOST_NAMED = 3
/** Messages of programs about a missing file, program or module. */
const MISSING = /not found|no such file|cannot find|could ?n[o']t (?:find|resolve|open)|no module named|ENOENT/i

/** The mark of a masked secret in recordings of earlier versions, which did not keep its length. */
const SHORT_MARK = /\[masked [^\]\n]{1,256}\](?!\*)/

/** Sizes differ where a secret of another length was. */
export function lackedByMask(params: Readonly<Record<string, unknown>>): Lacking {
  const mark = textsIn(params).map((text) => SHORT_MARK.exec(text)?.[0]).find((found) => found !== undefined)
  return mark === undefined ? {} : { reason: `the block holds ${mark}` }
}

/** A path that a verb names decides its result. */
export function lackedByVerb(used: readonly StartingPath[]): Lacking {
  return used.length === 0 ? {} : { reason: named(used) }
}

/**
 * Which of the omitted paths a program read. That it could have read one does not excuse a difference, or a recording
 * with a single omitted file would never fail: the command or a differing line must name the path, or the program must
 * now fail because something is missing that an omitted directory may have held.
 *
 * @param text the command
 */
export function lackedByProgram(
  text: string, left: readonly StartingPath[], { outcome, expected = '', actual = '' }: Comparison,
): Lacking {
  const [then, now] = [linesNotIn(expected, actual), linesNotIn(actual, expected)]
  const said = [text, ...then, ...now]
  const fitting = left.filter(({ path, left: why }) => (
    why === 'belongs to git' ? /git/i.test(text) : path === '' || said.some((line) => namesPath(line, path))
  ))
  const misses = outcome === 'newly failing' && now.some((line) => MISSING.test(line))
  const used = fitting.length > 0 || !misses ? fitting
    : left.filter(({ kind, left: why }) => kind === 'directory' && why !== 'belongs to git')
  if (used.length > 0) return { reason: named(used) }
  // Policy files and git's own do not influence a program's output.
  const unseen = left.filter(({ kind }) => kind !== 'other')
  return unseen.length === 0 ? {} : { unseen: named(unseen) }
}

/** Whether a text names a path, by its last component as a whole word, since programs change directories. */
function namesPath(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + name.length] ?? ' ']
    if (around.every((sign) => !/[\w-]/.test(sign))) return true
  }
  return false
}

function linesNotIn(text: string, other: string): string[] {
  const lines = new Set(other.split('\n'))
  return text.split('\n').filter((line) => !lines.has(line))
}

function named(paths: readonly StartingPath[]): string {
  const told = paths.slice(0, MOST_NAMED).map(({ path, left }) => `${path === '' ? 'a path' : path} ${left}`)
  return [...told, ...(paths.length > MOST_NAMED ? [`${paths.length - MOST_NAMED} more`] : [])].join(', ')
}

/** All strings in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
