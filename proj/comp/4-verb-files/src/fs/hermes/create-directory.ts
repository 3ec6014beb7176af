import * as v from 'valibot'
import { defineVerb, path } from '../../../../0-contracts/src/index.js'
import { parentNotes, parentsOf } from '../../../../2-files/src/index.js'
import { createDirectory } from '../make-directory.js'

/** Creates a directory. */
export const fsCreateDirectory = defineVerb({
  name: 'fs.createDirectory',
  vocabulary: 'hermes',
  description: 'Create a directory with any missing parent directories. One that exists already is no error.',
  category: 'directory',
  type: 'write',
  primary: 'path',
  args: v.strictObject({ path: path('Directory to create, e.g. "src/components".') }),
  result: v.strictObject({ ...parentNotes }),
  examples: [{ path: 'src/components' }],
  handler({ path: written }, context) {
    return parentsOf(createDirectory('fs.createDirectory', written, context))
  },
})
