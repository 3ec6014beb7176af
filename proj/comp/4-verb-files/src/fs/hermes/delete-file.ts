import * as v from 'valibot'
import { defineVerb, path } from '../../../../0-contracts/src/index.js'
import { removeFile } from '../removable-file.js'
import { HERMES_WRITE } from '../verb-kinds.js'

/** Deletes a file. */
export const fsDeleteFile = defineVerb({
  ...HERMES_WRITE,
  name: 'fs.deleteFile',
  description: 'Delete a file. Of a symbolic link the link is deleted, not what it points to.',
  constraints: ['Files and links only; fs.deleteDirectory deletes directories.'],
  primary: 'path',
  args: v.strictObject({ path: path('File to delete, e.g. "notes/old.md".') }),
  result: v.strictObject({}),
  examples: [{ path: 'notes/old.md' }],
  async handler({ path: written }, context) {
    await removeFile('fs.deleteFile', written, context)
    return {}
  },
})
