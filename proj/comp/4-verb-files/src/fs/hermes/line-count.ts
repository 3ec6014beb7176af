import * as v from 'valibot'
import { defineVerb, integer, path } from '../../../../0-contracts/src/index.js'
import { chunksNamedAs, checkSignal, requireFile } from '../../../../2-files/src/index.js'
import { LineCounter } from '../line-counter.js'
import { notText } from '../read-lines.js'
import { HERMES_READ } from '../verb-kinds.js'

/** Counts the lines of a file. */
export const fsLineCount = defineVerb({
  ...HERMES_READ,
  name: 'fs.lineCount',
  description: 'Count the lines of a text file (UTF-8) of any size. A last line without a line break counts, an empty '
    + 'file has 0.',
  args: v.strictObject({ path: path('File to count the lines of, e.g. "src/main.ts".') }),
  result: v.strictObject({ lineCount: integer('How many lines the file has.', 0) }),
  examples: [{ path: 'src/main.ts' }],
  async handler({ path: written }, context) {
    const target = requireFile('fs.lineCount', written, context)
    const counter = new LineCounter()
    for await (const chunk of chunksNamedAs(written, target, context.files.chunks(target))) {
      checkSignal(context.signal)
      if (!counter.push(chunk)) throw notText(written)
    }
    const lineCount = counter.end()
    if (lineCount === undefined) throw notText(written)
    return { lineCount }
  },
})
