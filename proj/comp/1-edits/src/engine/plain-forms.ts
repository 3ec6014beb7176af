import { indentLength, type LineParts, trimLineEnd } from './line-parts.js'
import { foldUnits } from './look-alikes.js'

/**
 * The look-alikes that the text searched for has wherever the file has plain characters: a model that
 * writes them there writes them in the new text too.
 */
export function plainForms(inFile: readonly LineParts[], searched: readonly LineParts[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  /** Plain characters for which the file itself has look-alikes. */
  const odd = new Set<string>()
  for (const [index, { body }] of searched.entries()) {
    const [wanted, wantedPlain] = content(body)
    const [found] = content(inFile[index]?.body ?? '')
    for (let at = 0; at < wanted.length; at++) {
      const [unit, plain] = [wanted[at] ?? '', wantedPlain[at] ?? '']
      if (found[at] !== plain) odd.add(plain)
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

export function withPlain(line: string, forms: ReadonlyMap<string, string>): string {
  return forms.size === 0 ? line : line.replace(/[^\u0000-\u007f]/g, (unit) => forms.get(unit) ?? unit)
}
