import * as v from 'valibot'
import { defineVerb, flag, path, text } from '../../../../0-contracts/src/index.js'
import { lineNumber } from '../line-number.js'
import { numberLines, requireOrder, writeRange } from '../numbered-lines.js'
import { readLines } from '../read-lines.js'
import { HERMES_READ } from '../verb-kinds.js'

/** Reads lines of a file by number. */
export const fsReadRange = defineVerb({
  ...HERMES_READ,
  name: 'fs.readRange',
  description: 'Read some lines of a text file (UTF-8) of any size. Each line is shown as "N: text" with its number, '
    + 'unless includeLineNumbers is false: then the lines come as they are. The numbers are those fs.writeRange takes.',
  constraints: [
    'An endLine beyond the file reads to its end; fs.lineCount counts its lines.',
    'A byte order mark is no part of line 1; with line numbers, line endings are not shown either.',
  ],
  seldom: ['includeLineNumbers'],
  args: v.strictObject({
    path: path('File to read, e.g. "src/main.ts".'),
    startLine: lineNumber('First line to read; the first of the file is 1.'),
    endLine: lineNumber('Last line to read; it is included.'),
    includeLineNumbers: flag('Whether each line is shown with its number. Default: true.', true),
  }),
  check: ({ startLine: first, endLine: last }) => requireOrder('fs.readRange', { first, last }, writeRange),
  result: v.strictObject({
    content: text('The lines: "N: text" each, or as they are in the file, line breaks included.'),
  }),
  examples: [
    { path: 'src/main.ts', startLine: 1, endLine: 2 },
    { path: 'src/main.ts', startLine: 2, endLine: 2, includeLineNumbers: false },
  ],
  async handler({ path: written, startLine: first, endLine: last, includeLineNumbers }, context) {
    const { lines } = await readLines('fs.readRange', written, { first, last, write: writeRange }, context)
    return { content: includeLineNumbers ? numberLines(lines, first) : lines.join('') }
  },
})
