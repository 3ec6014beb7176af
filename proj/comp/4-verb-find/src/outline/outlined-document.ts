import { clip, sectionsOf } from '../../../0-text/src/index.js'
import type { SignedDefinition, VisibleDefinition } from '../../../2-syntax/src/index.js'
import { linesOf } from '../../../3-code-index/src/index.js'
import { type OutlinedFile, outlinedFile } from './outlined-file.js'

/** Longest heading, in characters, as of a signature. */
const MOST_CHARS = 160

/** The sections of a Markdown text, each in that of the heading above it. */
export function outlinedDocument(shown: string, text: string, depth: number): OutlinedFile {
  const lines = linesOf(text)
  if (lines.at(-1) === '') lines.pop()
  const open: { level: number; definition: VisibleDefinition }[] = []
  const definitions = sectionsOf(lines).map(({ heading, level, firstLine, lastLine }): SignedDefinition => {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()
    const within = open.at(-1)?.definition
    const definition: VisibleDefinition = {
      // It holds others and can be named from elsewhere, as classes do.
      name: heading, kind: 'class', shared: true, parameter: false,
      startLine: firstLine, startColumn: 1, endLine: lastLine, endColumn: (lines[lastLine - 1] ?? '').length + 1,
      nameLine: firstLine, nameColumn: 1, depth: open.length, ...(within && { within }),
    }
    open.push({ level, definition })
    return { definition, signature: clip(`${'#'.repeat(level)} ${heading}`.trimEnd(), MOST_CHARS) }
  })
  return outlinedFile(shown, { definitions }, depth)
}
