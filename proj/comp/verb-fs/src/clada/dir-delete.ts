import * as v from 'valibot'
import { absolutePath, defineVerb } from '../../../contracts/src/index.js'
import { approvePath, missingPath, pathError } from '../../../verb-paths/src/index.js'

/** Seed 002 `dir_delete`: `{path}`. */
export const dirDelete = defineVerb({
  name: 'dir_delete',
  vocabulary: 'clada',
  description: 'Delete an empty directory.',
  category: 'directory',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
  constraints: ['Only empty directories; nothing is deleted recursively.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to delete.') }),
  result: v.strictObject({ path: v.string() }),
  examples: [{ path: '/workspace/build' }],
  handler({ path }, context) {
    const target = approvePath(context.gate, 'dir_delete', path, 'remove')
    const found = context.files.lstat(target)
    if (found === undefined) throw missingPath('dir_delete', path, target, context)
    if (found.kind !== 'directory') {
      throw pathError('ENOTDIR', 'dir_delete', path, 'It is a file or a link; file_delete deletes it.')
    }
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
