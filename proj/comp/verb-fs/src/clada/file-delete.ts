import * as v from 'valibot'
import { absolutePath, defineVerb } from '../../../contracts/src/index.js'
import { approvePath, missingPath, pathError } from '../../../verb-paths/src/index.js'

/** Seed 002 `file_delete`: `{path}`. */
export const fileDelete = defineVerb({
  name: 'file_delete',
  vocabulary: 'clada',
  description: 'Delete a file. Of a symbolic link the link is deleted, not what it points to.',
  category: 'file',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
  constraints: ['Files and links only; dir_delete deletes empty directories.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to delete.') }),
  result: v.strictObject({ path: v.string() }),
  examples: [{ path: '/workspace/notes/old.md' }],
  handler({ path }, context) {
    const target = approvePath(context.gate, 'file_delete', path, 'remove')
    const found = context.files.lstat(target)
    if (found === undefined) throw missingPath('file_delete', path, target, context)
    if (found.kind === 'directory') {
      throw pathError('EISDIR', 'file_delete', path, 'It is a directory; dir_delete deletes it once it is empty.')
    }
    context.files.remove(target)
    return { path }
  },
})
