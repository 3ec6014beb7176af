import { HermesError } from '../../../0-contracts/src/index.js'
import { alignLines } from './align-lines.js'
import { findLineNumbers, findStrayFence, withoutNumber } from './copied-marks.js'
import { findDots, findElision, type LineSet, lineSet } from './elisions.js'
import { linesOf } from './line-parts.js'

export interface Insertion {
  /** Verb and parameter as messages name them. */
  verb: string
  parameter: string
  path: string
  /** Content of the file before the edit. */
  content: string
  /** Lines of `content`, shared between several insertions. */
  lines?: LineSet
  /** The part of `content` that is replaced. */
  removed: string
  inserted: string
}

/**
 * Rejects typical mistakes of models in new text: omitted code, line numbers of a listing, a fence around it.
 *
 * @throws HermesError `ELIDED_CONTENT`, `INVALID_PARAMETER`
 */
export function checkInserted(insertion: Insertion): void {
  const checked = { ...insertion, lines: insertion.lines ?? lineSet(insertion.content) }
  checkElision(checked)
  checkMarks(checked)
}

/** Quick test: false where `checkInserted` would accept the text in any file. */
export function mayNeedOldText(inserted: string): boolean {
  return ELIDES.test(inserted) || findLineNumbers(inserted) !== undefined || findStrayFence(inserted) !== undefined
}

const ELIDES =
  new RegExp('\\.{3}|\u2026|\\b(?:rest|others?|everything else|previous|remainder|unchanged|no changes?|same as'
  + '|existing|remaining)\\b', 'i')

function checkElision({ verb, parameter, path, lines, removed, inserted }: Required<Insertion>): void {
  const dots = BARE_DOTS.test(path) ? findDots(inserted, lines, path) : undefined
  const elision = findElision(inserted, lines) ?? dots
  if (!elision || !dropsLines(removed, inserted)) return
  const shown = elision.text.length > 60 ? `${elision.text.slice(0, 60)}\u2026` : elision.text
  throw new HermesError(
    'ELIDED_CONTENT', `${verb}: line ${elision.line + 1} of ${parameter} stands for text left out: ${shown}`,
    {
      hint: 'Nothing was written: it would delete what the line stands for. Write that text out, or change less at '
        + 'once.',
    },
  )
}

function checkMarks({ verb, parameter, path, lines, removed, inserted }: Required<Insertion>): void {
  const number = findLineNumbers(inserted)
  const isNew = number !== undefined && findLineNumbers(removed) === undefined
  if (isNew && filledLines(withoutNumber(inserted)).some((line) => lines().has(line))) {
    throw new HermesError(
      'INVALID_PARAMETER', `${verb}: ${parameter} carries line numbers (${JSON.stringify(number)})`,
      { hint: 'Nothing was written. Leave the numbers out: they belong to the listing, not to the file.' },
    )
  }
  const fence = findStrayFence(inserted)
  if (fence === undefined || !CODE.test(path) || findStrayFence(removed) !== undefined) return
  throw new HermesError('INVALID_PARAMETER', `${verb}: ${parameter} stands in a Markdown fence (${fence})`, {
    hint: 'Nothing was written. Leave out its first and last line: they would become part of the file.',
  })
}

/** Files in which a line of only dots is either code or an omission. */
const BARE_DOTS = new RegExp('\\.(?:[cm]?[jt]sx?|pyi?|[ch]|cc|[ch]pp|cs|go|java|kt|php|rb|rs|scala|swift|s?css|vue'
  + '|svelte|json|toml|sql|lua)$', 'i')

/** Files in which fences as first and last line are always a mistake. */
const CODE = new RegExp(`\\.(?:${[
  'c', 'cc', 'cjs', 'cpp', 'cs', 'css', 'go', 'h', 'hpp', 'html?', 'java', 'jsx?', 'json', 'kt', 'lua', 'mjs', 'php',
  'py', 'rb', 'rs', 'scala', 'scss', 'sh', 'sql', 'svelte', 'swift', 'toml', 'tsx?', 'vue', 'xml', 'ya?ml',
].join('|')})$`, 'i')

/** Whether the new text lacks a non-blank line of the old one. */
function dropsLines(removed: string, inserted: string): boolean {
  const old = filledLines(removed)
  return alignLines(old, filledLines(inserted)).filter((index) => index !== -1).length < old.length
}

function filledLines(text: string): string[] {
  return linesOf(text).map(({ body }) => body.trim()).filter((line) => line !== '')
}
