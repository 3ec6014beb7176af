import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../../0-contracts/src/index.js'
import { pathError } from '../../../../2-files/src/index.js'
import { removableDirectory } from '../removable-directory.js'

/** Deletes an empty directory; data `{path}`. */
export const dirDelete = defineVerb({
  name: 'dir_delete',
  vocabulary: 'clada',
  description: 'Delete an empty directory.',
  category: 'directory',
  type: 'write',
  constraints: ['Only empty directories; nothing is deleted recursively.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to delete.') }),
  result: v.strictObject({ path: text('The deleted directory, as written.') }),
  examples: [{ path: '/workspace/build' }],
  handler({ path }, context) {
    const target = removableDirectory('dir_delete', path, context)
    const { length } = context.files.list(target)
    if (length > 0) {
      const held = length === 1 ? 'one entry' : `${length} entries`
      const remedy = 'Delete what is in it first: files with file_delete, directories with dir_delete.'
      throw pathError('ENOTEMPTY', 'dir_delete', path, `It still holds ${held}. ${remedy}`)
    }
    context.files.removeDirectory(target)
    return { path }
  },
})
