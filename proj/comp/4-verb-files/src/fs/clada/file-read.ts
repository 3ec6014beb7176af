import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../../0-contracts/src/index.js'
import { linksOf, readExisting, readNotes } from '../../../../2-files/src/index.js'

/** Reads a file; data `{path, content}`. */
export const fileRead = defineVerb({
  name: 'file_read',
  vocabulary: 'clada',
  description: 'Read a text file (UTF-8), whole and exactly as it is.',
  category: 'file',
  type: 'read',
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to read.') }),
  result: v.strictObject({
    path: text('The file, as written.'),
    content: text('The whole content of the file.'),
    ...readNotes,
  }),
  examples: [{ path: '/workspace/README.md' }],
  handler({ path }, context) {
    const { target, content } = readExisting('file_read', path, 'read', context)
    return { path, content, ...linksOf(target, context) }
  },
})
