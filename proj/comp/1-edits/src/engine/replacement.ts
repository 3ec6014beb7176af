import { alignLines } from './align-lines.js'
import type { Place } from './compare-passage.js'
import { nearEndings, usualEnding } from './line-endings.js'
import { indentLength, type LineParts, linesOf, trimLineEnd } from './line-parts.js'
import { foldUnits } from './look-alikes.js'
import type { Shift } from './match-tier.js'
import { tabIndented } from './tab-indent.js'

/**
 * The new text for `place` when `searched` is replaced by `replaced`. Lines that both share keep the file's bytes. New
 * lines are indented by the shift of the place, get plain characters where `searched` has look-alikes of the file's,
 * and take the endings of the lines they replace, unless their own endings are intended (`areBreaksMeant`). A new last
 * line ends as the last line of the place did.
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
 * The look-alikes that the text searched for has wherever the file has plain characters: a model that
 * writes them there writes them in the new text too.
 */
function plainForms(inFile: readonly LineParts[], searched: readonly LineParts[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  /** Plain characters for which the file itself has look-alikes. */
  const odd = new Set<string>()
  for (const [index, { body }] of searched.entries()) {
    const [wanted, wantedPlain] = content(body)
    const [line] = content(inFile[index]?.body ?? '')
    for (let at = 0; at < wanted.length; at++) {
      const [unit, plain] = [wanted[at] ?? '', wantedPlain[at] ?? '']
      if (line[at] !== plain) odd.add(plain)
      if (unit !== plain) forms.set(unit, plain)
    }
    for (const unit of body.slice(0, indentLength(foldUnits(body)))) if (foldUnits(unit) !== unit) forms.set(unit, ' ')
  }
  return new Map([...forms].filter(([, plain]) => !odd.has(plain)))
}

/** A line without indentation and the space at its end, as it is and with look-alikes made plain, unit for unit. */
function content(body: string): [line: string, plain: string] {
  const folded = trimLineEnd(foldUnits(body))
  const start = indentLength(folded)
  return [body.slice(start, folded.length), folded.slice(start)]
}

function withPlain(line: string, forms: ReadonlyMap<string, string>): string {
  return forms.size === 0 ? line : line.replace(/[^\u0000-\u007f]/g, (unit) => forms.get(unit) ?? unit)
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

/** Shifts a line's indentation; of what is to be removed, as much as the line has. */
export function shiftLine(line: string, { added, removed, spacesPerTab }: Shift): string {
  const indent = indentLength(line)
  if (indent === line.length) return line
  if (spacesPerTab !== undefined) return tabIndented(line, spacesPerTab)
  if (removed === '') return added + line
  return line.startsWith(removed) ? line.slice(removed.length) : line.slice(Math.min(indent, removed.length))
}
