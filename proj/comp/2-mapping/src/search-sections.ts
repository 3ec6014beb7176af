/** Markers of Cline (`------- SEARCH`), Roo Code (`<<<<<<< SEARCH`) and gptme (`<<<<<<< ORIGINAL`). */
const OPENER = /^(?:<{7}|-{7}) (?:SEARCH|ORIGINAL)>?$/
const DIVIDER = /^={7}$/
const CLOSER = /^(?:>{7}|\+{7}) (?:REPLACE|UPDATED)>?$/
/** Roo Code's line numbers above the search text, followed by a rule. */
const PLACE = /^:(?:start|end)_line: ?\d+$/
/** Roo Code's escape for a line that looks like a marker; in other formats the backslash is literal. */
const ESCAPED = /^\\(?:<{7}|={7}|>{7}|-{7}|:(?:start|end)_line:)/
const RULE = /^-{7}$/

/**
 * Converts sections of old and new lines to one V4A patch, which applies completely or not at all.
 *
 * @throws SectionError where they are ambiguous
 */
export function patchOfSections(text: string, path: string): string {
  const hunks: string[] = []
  let at: 'outside' | 'old' | 'new' = 'outside'
  let old: string[] = []
  let fresh: string[] = []
  for (const [index, written] of text.replace(/\n$/, '').split('\n').entries()) {
    const line = written.replace(/\r$/, '')
    const marks = line.trimEnd()
    if (ESCAPED.test(line)) {
      throw new SectionError(`line ${index + 1} has a backslash before a mark, which may mean none`)
    }
    if (at === 'outside') {
      if (marks === '') continue
      if (!OPENER.test(marks)) throw new SectionError(`line ${index + 1} belongs to no section`)
      at = 'old'
      old = []
      fresh = []
    } else if (OPENER.test(marks) || (at === 'new' && DIVIDER.test(marks)) || (at === 'old' && CLOSER.test(marks))) {
      throw new SectionError(`line ${index + 1} is a mark out of its order`)
    } else if (at === 'old' && DIVIDER.test(marks)) at = 'new'
    else if (at === 'new' && CLOSER.test(marks)) {
      const wanted = withoutPlace(old)
      if (wanted.length === 0) throw new SectionError(`the section that ends on line ${index + 1} searches for nothing`)
      hunks.push(['@@', ...wanted.map((each) => `-${each}`), ...fresh.map((each) => `+${each}`)].join('\n'))
      at = 'outside'
    } else (at === 'old' ? old : fresh).push(line)
  }
  if (at !== 'outside') throw new SectionError('its last section has no end')
  if (hunks.length === 0) throw new SectionError('it has no section')
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunks, '*** End Patch'].join('\n')
}

export class SectionError extends Error {}

function withoutPlace(lines: readonly string[]): readonly string[] {
  const places = lines.findIndex((line) => !PLACE.test(line))
  if (places <= 0) return lines
  return lines.slice(RULE.test(lines[places] ?? '') ? places + 1 : places)
}
