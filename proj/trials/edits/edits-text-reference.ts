import { escape, fileLines, judge, type LineEdit, outcome, type Verdict } from './edits-reference.js'

/**
 * What `file_replace_text` must do: its text may be parts of lines, and must stand in the file once. Unless the edit is
 * exact, its LF stand for CRLF, too, and new lines end as those do that they replace. Whole lines are looked for tier
 * by tier only where the text stands nowhere byte for byte.
 *
 * @param inserted the lines of the new text, as the answer writes them
 */
export function judgeText(
  file: string, edit: LineEdit, inserted: readonly string[], mode: 'exact' | 'tolerant',
): Verdict {
  const textOf = (lines: readonly string[]) => lines.map((line) => line + edit.ending).join('')
  const searched = textOf(edit.searched)
  const isTolerant = mode === 'tolerant'
  const lines = isTolerant && !file.includes(searched) ? judge(file, edit, mode) : undefined
  if (lines?.kind === 'found') return lines
  const areBreaksAlike = isTolerant && edit.ending === '\n'
  // A line feed behind a carriage return is the rest of a line break.
  const pattern = areBreaksAlike
    ? `(?!(?<=\\r)\\n)${escape(searched).replaceAll('\\n', '\\r?\\n')}` : escape(searched)
  // Looked for ahead of each place, so that places which overlap count, too.
  const [place, ...others] = file.matchAll(new RegExp(`(?=(${pattern}))`, 'g'))
  if (!place) return lines ?? { kind: 'missing' }
  if (others.length > 0) return { kind: 'ambiguous', tier: 'exact', choices: [] }
  const found = place[1] ?? ''
  const verdict = outcome(found, fileLines(found), { tier: 'exact', line: 0, added: '', removed: '' }, edit)
  if (verdict.kind !== 'found') return verdict
  return {
    ...verdict, before: file.slice(0, place.index), after: file.slice(place.index + found.length),
    middle: areBreaksAlike ? verdict.middle : new RegExp(`^${escape(textOf(inserted))}$`),
  }
}
