import * as v from 'valibot'
import { absolutePath, defineVerb, integer, text } from '../../../../0-contracts/src/index.js'
import { spliceLines, splitLines } from '../../../../1-edits/src/index.js'
import { notesOf, readExisting, writeNotes, writeText } from '../../../../2-files/src/index.js'
import { ENDINGS_FIT } from '../endings-fit.js'
import { checkRange, parseLines, requireOrder, writeLines } from '../numbered-lines.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Replaces lines by number; data `{path, lines_replaced}`. */
export const fileReplaceLines = defineVerb({
  ...CLADA_WRITE,
  name: 'file_replace_lines',
  description: 'Replace whole lines of a file, given by number as file_read_numbered shows them. Empty new_content '
    + 'deletes the lines; new_content without a line break at its end gets the one of the last line replaced.',
  constraints: ['Lines outside the file change nothing.', ENDINGS_FIT],
  primary: 'path',
  args: v.strictObject({
    path: absolutePath('File to change.'),
    lines: text('The line or range of lines to replace, e.g. "4" or "23-43", both ends included.'),
    new_content: text('What to put in their place.'),
  }),
  check: ({ lines }) => requireOrder('file_replace_lines', parseLines('file_replace_lines', lines), writeLines),
  result: v.strictObject({
    path: text('The file, as written.'),
    lines_replaced: integer('How many lines were replaced.', 1),
    ...writeNotes,
  }),
  examples: [{ path: '/workspace/src/main.ts', lines: '23-24', new_content: '  return total\n' }],
  handler({ path, lines: range, new_content }, context) {
    const { target, content } = readExisting('file_replace_lines', path, 'write', context)
    const lines = parseLines('file_replace_lines', range)
    checkRange('file_replace_lines', lines, splitLines(content).lines.length, writeLines, context)
    const changed = spliceLines(content, lines, new_content)
    const written = writeText('file_replace_lines', path, target, changed, context)
    return { path, lines_replaced: lines.last - lines.first + 1, ...notesOf(written) }
  },
})
