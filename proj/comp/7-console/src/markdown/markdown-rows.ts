import type { Palette } from '../../../1-reports/src/index.js'
import { MarkdownFlow, type Signs } from './markdown-flow.js'

/** Where cells hold sentences, narrower columns are hard to read. */
const NARROWEST = 16

/** A whole text of Markdown as rows of a terminal with so many columns; lines of code, which are copied, stay whole. */
export function markdownRows(
  text: string, { palette, signs, columns }: { palette: Palette; signs: Signs; columns: number },
): string[] {
  const flow = new MarkdownFlow(palette, signs, { narrowest: NARROWEST, isWhole: true })
  return [...flow.push(text, columns), ...flow.end(columns)]
}
