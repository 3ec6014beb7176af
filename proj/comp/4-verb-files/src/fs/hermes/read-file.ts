import * as v from 'valibot'
import { defineVerb, path, text } from '../../../../0-contracts/src/index.js'
import { linksOf, readExisting, readNotes } from '../../../../2-files/src/index.js'
import { HERMES_READ } from '../verb-kinds.js'

/** Reads a text file. */
export const fsReadFile = defineVerb({
  ...HERMES_READ,
  name: 'fs.readFile',
  description: 'Read a text file (UTF-8), whole and exactly as it is.',
  args: v.strictObject({ path: path('File to read, e.g. "README.md".') }),
  result: v.strictObject({ content: text('The whole content of the file.'), ...readNotes }),
  examples: [{ path: 'README.md' }],
  handler({ path: written }, context) {
    const { target, content } = readExisting('fs.readFile', written, 'read', context)
    return { content, ...linksOf(target, context) }
  },
})
