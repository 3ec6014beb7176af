import { alignLines } from './align-lines.js'
import type { Place } from './compare-passage.js'
import { plainForms, withPlain } from './plain-forms.js'
import { nearEndings, usualEnding } from './line-endings.js'
import { indentLength, type LineParts, linesOf } from './line-parts.js'
import type { Shift } from './match-tier.js'
import { tabIndented } from './tab-indent.js'

/**
 * What stands at `place` once `searched` is replaced by `replaced` there. Lines that both have keep the file's own
 * bytes; new ones are shifted as the place is, lose the look-alikes that `searched` has in place of plain characters,
 * and end as the lines they replace, unless their line breaks are meant: then they are as written. A new last line ends
 * as the last one of the place did.
 */
export function replacement(text: string, place: Place, searched: string, replaced: string): string {
  const old = linesOf(text.slice(place.start, place.end))
  const wanted = linesOf(searched)
  const lines = linesOf(replaced)
  if (lines.length === 0) return ''
  const areMeant = areBreaksMeant(place, old, searched, replaced)
  const key = ({ body, ending }: LineParts): string => (areMeant ? body + (ending || '\n') : body)
  const kept = alignLines(wanted.map(key), lines.map(key))
  const plain = place.tier === 'look-alikes' ? plainForms(old, wanted) : undefined
  const near = nearEndings(old, kept)
  const usual = usualEnding(text, place, old, replaced)
  return lines.map((line, index) => {
    const same = old[kept[index] ?? -1]
    const body = same?.body ?? shiftLine(plain ? withPlain(line.body, plain) : line.body, place.shift)
    const isLast = index === lines.length - 1
    if (isLast && (same !== undefined || old.at(-1)?.ending === '')) return body + (old.at(-1)?.ending && near[index])
    return body + (same?.ending || (areMeant && line.ending) || near[index] || usual)
  }).join('')
}

/**
 * Carriage returns are as their author wants them where the new text alone has some, or where the old text has those of
 * the file. Such as the file lacks there are those of the whole answer, as Windows writes it.
 */
function areBreaksMeant({ tier }: Place, old: readonly LineParts[], searched: string, replaced: string): boolean {
  if (!searched.includes('\r')) return replaced.includes('\r')
  return tier === 'exact' && (old.length > 1 || linesOf(searched)[0]?.ending !== '\r\n' || old[0]?.ending === '\r\n')
}

/** `text` with the place replaced. */
export function splice(text: string, place: Pick<Place, 'start' | 'end'>, inserted: string): string {
  return text.slice(0, place.start) + inserted + text.slice(place.end)
}

/** As much of the indentation that is to go as the line has. */
export function shiftLine(line: string, { added, removed, spacesPerTab }: Shift): string {
  const indent = indentLength(line)
  if (indent === line.length) return line
  if (spacesPerTab !== undefined) return tabIndented(line, spacesPerTab)
  if (removed === '') return added + line
  return line.startsWith(removed) ? line.slice(removed.length) : line.slice(Math.min(indent, removed.length))
}
