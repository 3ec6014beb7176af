import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../../0-contracts/src/index.js'
import { parentNotes, parentsOf } from '../../../../2-files/src/index.js'
import { createDirectory } from '../make-directory.js'

/** Creates a directory; data `{path, createdDirs?}`. */
export const dirCreate = defineVerb({
  name: 'dir_create',
  vocabulary: 'clada',
  description: 'Create a directory with any missing parent directories. One that exists already is no error.',
  category: 'directory',
  type: 'write',
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to create.') }),
  result: v.strictObject({ path: text('The directory, as written.'), ...parentNotes }),
  examples: [{ path: '/workspace/src/components' }],
  handler({ path }, context) {
    return { path, ...parentsOf(createDirectory('dir_create', path, context)) }
  },
})
