import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../contracts/src/index.js'
import { numberLines, parseRange, splitLines } from '../lines.js'
import { readExisting } from '../read-existing.js'

/** Of clada's family (contract section 3): `{path, content}`, content with line numbers. */
export const fileReadNumbered = defineVerb({
  name: 'file_read_numbered',
  vocabulary: 'clada',
  description: 'Read a text file, or some of its lines, with 1-based line numbers: each line is shown as "N: text". '
    + 'The numbers are those file_replace_lines takes.',
  category: 'file',
  version: '1.0.0',
  type: 'read',
  accessibility: ['llm'],
  constraints: ['Line endings and a byte order mark are not shown.'],
  primary: 'path',
  args: v.strictObject({
    path: absolutePath('File to read.'),
    lines: v.optional(text('A line or a range of lines, e.g. "4" or "23-43". Default: all lines.')),
    delimiter: v.optional(text('What stands between number and text.'), ': '),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    content: text('The lines, each with its number.'),
  }),
  examples: [{ path: '/workspace/src/main.ts' }, { path: '/workspace/src/main.ts', lines: '23-43' }],
  handler({ path, lines: range, delimiter }, context) {
    const { lines } = splitLines(readExisting('file_read_numbered', path, 'read', context).content)
    const shown = range === undefined
      ? { first: 1, last: lines.length }
      : parseRange('file_read_numbered', range, lines.length)
    return { path, content: numberLines(lines, shown, delimiter) }
  },
})
