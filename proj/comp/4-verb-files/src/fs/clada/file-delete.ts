import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../../0-contracts/src/index.js'
import { removeFile } from '../removable-file.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Deletes a file; data `{path}`. */
export const fileDelete = defineVerb({
  ...CLADA_WRITE,
  name: 'file_delete',
  description: 'Delete a file.',
  constraints: [
    'Files and links only; dir_delete deletes empty directories.',
    'Of a symbolic link the link is deleted, not what it points to.',
  ],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to delete.') }),
  result: v.strictObject({ path: text('The deleted file, as written.') }),
  examples: [{ path: '/workspace/notes/old.md' }],
  async handler({ path }, context) {
    await removeFile('file_delete', path, context)
    return { path }
  },
})
