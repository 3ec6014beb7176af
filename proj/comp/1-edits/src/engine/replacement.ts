import { alignLines } from './align-lines.js'
import type { Place } from './compare-passage.js'
import { plainForms, withPlain } from './plain-forms.js'
import { indentLength, lineAt, type LineParts, linesOf } from './line-parts.js'
import type { Shift } from './match-tier.js'

/**
 * What stands at `place` once `searched` is replaced by `replaced` there. Lines that both have keep the file's own
 * bytes; new ones are shifted as the place is, lose the look-alikes that `searched` has in place of plain characters,
 * and end as the lines they replace, unless `searched` has the file's endings too: then they are as written. The last
 * line ends as the last one of the place did.
 */
export function replacement(text: string, place: Place, searched: string, replaced: string): string {
  const old = linesOf(text.slice(place.start, place.end))
  const wanted = linesOf(searched)
  const lines = linesOf(replaced)
  if (lines.length === 0) return ''
  const areEndingsKnown = place.tier === 'exact' && wanted.length > 1
  const key = ({ body, ending }: LineParts): string => (areEndingsKnown ? body + (ending || '\n') : body)
  const kept = alignLines(wanted.map(key), lines.map(key))
  const keptOld = new Set(kept)
  const plain = place.tier === 'look-alikes' ? plainForms(old, wanted) : undefined
  const usual = old.find(({ ending }) => ending !== '')?.ending ?? endingNear(text, place.start) ?? lines[0]?.ending
  let next = 0
  const result = lines.map((line, index) => {
    const at = kept[index] ?? -1
    const same = old[at]
    if (same) next = at + 1
    const near = same ?? (keptOld.has(next) ? old[next - 1] : old[next++]) ?? old.at(-1)
    const body = same?.body ?? shiftLine(plain ? withPlain(line.body, plain) : line.body, place.shift)
    return { body, ending: same?.ending || (areEndingsKnown && line.ending) || near?.ending || usual || '\n' }
  })
  const last = result.at(-1)
  const ending = old.at(-1)?.ending ?? ''
  if (last && (ending === '' || !areEndingsKnown)) last.ending = ending
  return result.map(({ body, ending: end }) => body + end).join('')
}

/** `text` with the place replaced. */
export function splice(text: string, place: Pick<Place, 'start' | 'end'>, inserted: string): string {
  return text.slice(0, place.start) + inserted + text.slice(place.end)
}

/** As much of the indentation that is to go as the line has. */
export function shiftLine(line: string, { added, removed }: Shift): string {
  const indent = indentLength(line)
  if (indent === line.length) return line
  if (removed === '') return added + line
  return line.startsWith(removed) ? line.slice(removed.length) : line.slice(Math.min(indent, removed.length))
}

/** The ending of the line before `offset`, or of the text's first. */
export function endingNear(text: string, offset: number): string | undefined {
  if (offset > 0 && text[offset - 1] === '\n') return text[offset - 2] === '\r' ? '\r\n' : '\n'
  const { ending } = lineAt(text, 0)
  return ending === '' ? undefined : ending
}
