import type { Palette } from '../../../1-reports/src/index.js'
import { wrapText } from '../../../2-terminal/src/index.js'
import type { Span } from './inline-spans.js'

/** Spans as rows of at most `width` columns. */
export function paintedRows(spans: readonly Span[], width: number, palette: Palette): string[] {
  let begin = 0
  return wrapText(spans.map(({ text }) => text).join(''), width).map((row) => {
    const end = begin + row.length
    const painted = paintedPart(spans, begin, begin + row.trimEnd().length, palette)
    begin = end
    return painted
  })
}

function paintedPart(spans: readonly Span[], begin: number, end: number, palette: Palette): string {
  let at = 0
  return spans.map((span) => {
    const part = span.text.slice(Math.max(0, begin - at), Math.max(0, end - at))
    at += span.text.length
    return paint({ ...span, text: part }, palette)
  }).join('')
}

function paint({ text, strong, italic, code, address }: Span, palette: Palette): string {
  if (text === '') return ''
  const inner = code ? palette.accent(text) : address ? palette.faint(text) : text
  const slanted = italic ? palette.italic(inner) : inner
  return strong ? palette.strong(slanted) : slanted
}
