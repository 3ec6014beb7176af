import * as v from 'valibot'
import { defineVerb, HermesError, path, text, type VerbContext } from '../../../../0-contracts/src/index.js'
import { type LineRange, spliceLines, splitLines } from '../../../../1-edits/src/index.js'
import { notesOf, readExisting, writeNotes, writeText } from '../../../../2-files/src/index.js'
import { ENDINGS_FIT } from '../endings-fit.js'
import { lineNumber } from '../line-number.js'
import { checkRange, countLines, requireOrder, writeRange } from '../numbered-lines.js'
import { HERMES_WRITE } from '../verb-kinds.js'

/** Replaces or inserts lines by number. */
export const fsWriteRange = defineVerb({
  ...HERMES_WRITE,
  name: 'fs.writeRange',
  description: 'Replace whole lines of a text file, startLine to endLine, both included. Without endLine the content '
    + 'is inserted before startLine, and one more than the file has lines appends it. Empty content deletes the '
    + 'lines. Content without a line break at its end gets one like those of the file.',
  constraints: [
    'The file must exist; lines outside it change nothing.',
    ENDINGS_FIT,
    'What becomes the last line of a file without a final line break gets none either.',
    'Atomic: the file has either its old or its new content.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: path('File to change, e.g. "src/main.ts".'),
    startLine: lineNumber('First line to replace, or the line to insert before; the first of the file is 1.'),
    endLine: v.nullish(lineNumber('Last line to replace; it is included. Without it nothing is replaced.')),
    content: text('What to put in their place, e.g. "  return total\\n".'),
  }),
  check({ startLine: first, endLine: last }) {
    if (typeof last === 'number') requireOrder('fs.writeRange', { first, last }, writeRange)
  },
  result: v.strictObject({ ...writeNotes }),
  examples: [
    { path: 'src/main.ts', startLine: 1, endLine: 2, content: 'export const total = 2\n' },
    { path: 'src/main.ts', startLine: 1, content: '// The entry.\n' },
  ],
  handler({ path: written, startLine, endLine, content: inserted }, context) {
    const { target, content } = readExisting('fs.writeRange', written, 'write', context)
    const { length } = splitLines(content).lines
    const range = endLine === undefined || endLine === null
      ? insertionPoint(startLine, length, inserted)
      : replacedLines({ first: startLine, last: endLine }, length, context)
    const changed = spliceLines(content, range, inserted)
    return notesOf(writeText('fs.writeRange', written, target, changed, context))
  },
})

function replacedLines(range: LineRange, lineCount: number, context: VerbContext): LineRange {
  const isNext = range.first === lineCount + 1 && range.last >= range.first
  if (!isNext) checkRange('fs.writeRange', range, lineCount, writeRange, context)
  else throw outside(range.first, `${countLines(lineCount)}. Leave endLine out to append to them.`)
  return range
}

function insertionPoint(first: number, lineCount: number, inserted: string): LineRange {
  if (first < 1 || first > lineCount + 1) {
    throw outside(first, `${countLines(lineCount)}, counted from 1; startLine: ${lineCount + 1} appends.`)
  }
  if (inserted === '') {
    throw new HermesError('INVALID_PARAMETER', 'fs.writeRange: content cannot be empty without endLine', {
      hint: 'To delete lines write endLine too. An empty line is content: "\\n".',
    })
  }
  return { first, last: first - 1 }
}

function outside(line: number, hint: string): HermesError {
  return new HermesError('RANGE_INVALID', `fs.writeRange: line ${line} is outside the file`, { hint })
}
