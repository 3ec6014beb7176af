import * as v from 'valibot'
import { defineVerb, integer, text, toolPath } from '../../../../0-contracts/src/index.js'
import { type LineRange, splitLines } from '../../../../1-edits/src/index.js'
import { linksOf, readExistingBytes, readNotes } from '../../../../2-files/src/index.js'
import { readLines } from '../read-lines.js'
import { decodeText, ENCODINGS } from '../text-encoding.js'

/** Seed 004 `read_file` (FR-001 to FR-007). */
export const readFile = defineVerb({
  name: 'read_file',
  vocabulary: 'core',
  description: 'Read a text file, or some of its lines, exactly as they are. Given lines, the file may be of any size.',
  category: 'file_operations',
  type: 'read',
  constraints: [
    'The file must have the lines; end_line must not be less than start_line.',
    'A file in another encoding is refused, never read with losses.',
    'UTF-16 is recognised by its byte order mark, which is not part of the content; that of UTF-8 is, but not of '
      + 'line 1.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: toolPath('File to read, absolute or relative to the root, e.g. "src/main.ts".'),
    start_line: v.optional(integer('First line to read; the first of the file is 1. Default: 1.', 1)),
    end_line: v.optional(integer('Last line to read; it is included. Default: the last of the file.', 1)),
    encoding: v.optional(
      v.pipe(v.picklist(ENCODINGS), v.description('How the file is written. Default: utf-8.')), 'utf-8',
    ),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    content: text('What was read, line breaks included.'),
    start_line: integer('First line of the content.', 1),
    end_line: integer('Last line of the content; 0 for an empty file.', 0),
    total_lines: integer('How many lines the file has.', 0),
    ...readNotes,
  }),
  examples: [
    { path: 'src/main.ts' },
    { path: 'src/main.ts', start_line: 2, end_line: 3 },
  ],
  async handler({ path, start_line: start, end_line: end, encoding }, context) {
    if (start === undefined && end === undefined) {
      const { target, bytes } = readExistingBytes('read_file', path, context)
      const content = decodeText(path, bytes, encoding)
      const { length } = splitLines(content).lines
      return { path, content, start_line: 1, end_line: length, total_lines: length, ...linksOf(target, context) }
    }
    const write = (range: LineRange) => `start_line: ${range.first}, end_line: ${range.last}`
    const { first, last, lines, lineCount } = await readLines(
      'read_file', path, { first: start ?? 1, last: end, write, encoding }, context,
    )
    return { path, content: lines.join(''), start_line: first, end_line: last, total_lines: lineCount }
  },
})
