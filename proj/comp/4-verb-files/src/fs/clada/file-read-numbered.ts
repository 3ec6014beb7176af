import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../../0-contracts/src/index.js'
import { splitLines } from '../../../../1-edits/src/index.js'
import { readExisting } from '../../../../2-files/src/index.js'
import { numberLines, parseLines, requireOrder, writeLines } from '../numbered-lines.js'
import { readLines } from '../read-lines.js'

/** Reads a file with line numbers; data `{path, content}`. */
export const fileReadNumbered = defineVerb({
  name: 'file_read_numbered',
  vocabulary: 'clada',
  description: 'Read a text file, or some lines of one of any size, with 1-based line numbers: each line is shown as '
    + '"N: text".',
  category: 'file',
  type: 'read',
  constraints: [
    'Line endings and a byte order mark are not shown; numbers are padded to the width of the largest.',
    'A range that ends beyond the file reads to its end.',
    'The numbers are those file_replace_lines takes.',
  ],
  primary: 'path',
  seldom: ['delimiter'],
  args: v.strictObject({
    path: absolutePath('File to read.'),
    lines: v.optional(text('A line or a range of lines, e.g. "4" or "23-43". Default: all lines.')),
    delimiter: v.optional(text('What stands between number and text.'), ': '),
  }),
  check({ lines }) {
    if (lines !== undefined) requireOrder('file_read_numbered', parseLines('file_read_numbered', lines), writeLines)
  },
  result: v.strictObject({
    path: text('The file, as written.'),
    content: text('The lines, each with its number.'),
  }),
  examples: [{ path: '/workspace/src/main.ts' }, { path: '/workspace/src/main.ts', lines: '23-43' }],
  async handler({ path, lines: range, delimiter }, context) {
    if (range === undefined) {
      const { lines } = splitLines(readExisting('file_read_numbered', path, 'read', context).content)
      return { path, content: numberLines(lines, 1, { delimiter, pads: true }) }
    }
    const wanted = { ...parseLines('file_read_numbered', range), write: writeLines }
    const { lines, first } = await readLines('file_read_numbered', path, wanted, context)
    return { path, content: numberLines(lines, first, { delimiter, pads: true }) }
  },
})
