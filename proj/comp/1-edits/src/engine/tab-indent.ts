import type { Span } from './candidates.js'
import { type SearchedLine, searchedLine } from './compare-line.js'

/** How many spaces models write for a tab. */
const WIDTHS = [4, 2] as const

/**
 * Lines searched for, with tabs in place of their spaces, as a file that is indented by tabs may have them; none where
 * they have tabs themselves, or the text has none.
 */
export function tabIndentedForms(
  text: string, span: Span, lines: readonly SearchedLine[],
): { lines: SearchedLine[]; spacesPerTab: number }[] {
  const indents = lines.map(({ indent }) => indent)
  if (!indents.some((indent) => indent.startsWith('  ')) || indents.some((indent) => indent.includes('\t'))) return []
  if (!text.startsWith('\t', span.from) && !text.slice(span.from, span.to).includes('\n\t')) return []
  return WIDTHS.map((spacesPerTab) => ({
    spacesPerTab,
    lines: lines.map(({ body, ending }) => searchedLine({ body: tabIndented(body, spacesPerTab), ending })),
  }))
}

/** A tab for each `spacesPerTab` spaces that the line begins with; spaces left over align, and stay. */
export function tabIndented(line: string, spacesPerTab: number): string {
  let spaces = 0
  while (line[spaces] === ' ') spaces++
  const tabs = Math.floor(spaces / spacesPerTab)
  return '\t'.repeat(tabs) + line.slice(tabs * spacesPerTab)
}
