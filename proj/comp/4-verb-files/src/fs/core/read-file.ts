import * as v from 'valibot'
import { defineVerb, described, integer, text, toolPath } from '../../../../0-contracts/src/index.js'
import { type LineRange, splitLines } from '../../../../1-edits/src/index.js'
import { linksOf, readExistingBytes, readNotes } from '../../../../2-files/src/index.js'
import { requireOrder } from '../numbered-lines.js'
import { readLines } from '../read-lines.js'
import { decodeText, ENCODINGS } from '../text-encoding.js'

/** Most lines read when no range is given. */
const MOST_LINES = 2000

/** Core tool: reads a text file. */
export const readFile = defineVerb({
  name: 'read_file',
  vocabulary: 'core',
  description: 'Read a text file, or some of its lines, exactly as they are. Without lines it gives the first 2,000 '
    + 'and says how to go on. Given lines, the file may be of any size.',
  category: 'file_operations',
  version: '1.1.0',
  type: 'read',
  constraints: [
    'An end_line beyond the file reads to its end; it must not be less than start_line.',
    'A file in another encoding is refused, never read with losses.',
    'UTF-16 is recognised by its byte order mark, which is not part of the content; that of UTF-8 is, but not of '
      + 'line 1.',
  ],
  primary: 'path',
  seldom: ['encoding'],
  args: v.strictObject({
    path: toolPath('File to read, absolute or relative to the root, e.g. "src/main.ts".'),
    start_line: v.optional(integer('First line to read; the first of the file is 1. Default: 1.', 1)),
    end_line: v.optional(integer('Last line to read; it is included. Default: the last of the file, or without '
      + 'start_line the 2,000th.', 1)),
    encoding: v.optional(
      described(v.picklist(ENCODINGS), 'How the file is written. Default: utf-8.'), 'utf-8',
    ),
  }),
  check({ start_line: first = 1, end_line: last = first }) {
    requireOrder('read_file', { first, last }, write)
  },
  result: v.strictObject({
    path: text('The file, as written.'),
    content: text('What was read, line breaks included.'),
    start_line: integer('First line of the content.', 1),
    end_line: integer('Last line of the content; 0 for an empty file.', 0),
    total_lines: integer('How many lines the file has.', 0),
    truncated: v.optional(described(v.boolean(), 'The file has more lines than are given unasked.')),
    next_start_line: v.optional(integer('Where to go on, where it is truncated.', 1)),
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
      const read = { path, ...firstLines(content), ...linksOf(target, context) }
      const { next_start_line: next, total_lines: total } = read
      if (next !== undefined) {
        const more = write({ first: next, last: Math.min(total, next + MOST_LINES - 1) })
        context.advise?.(`These are the first ${MOST_LINES} of ${total} lines; go on with ${more}.`)
      }
      return read
    }
    const { first, last, lines, lineCount } = await readLines(
      'read_file', path, { first: start ?? 1, last: end, write, encoding }, context,
    )
    return { path, content: lines.join(''), start_line: first, end_line: last, total_lines: lineCount }
  },
})

function firstLines(content: string) {
  const { bom, lines } = splitLines(content)
  const { length: total } = lines
  if (total <= MOST_LINES) return { content, start_line: 1, end_line: total, total_lines: total }
  return {
    content: bom + lines.slice(0, MOST_LINES).join(''), start_line: 1, end_line: MOST_LINES, total_lines: total,
    truncated: true, next_start_line: MOST_LINES + 1,
  }
}

function write({ first, last }: LineRange): string {
  return `start_line: ${first}, end_line: ${last}`
}
