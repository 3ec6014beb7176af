import * as v from 'valibot'
import { absolutePath, defineVerb, integer, text } from '../../../../0-contracts/src/index.js'
import {
  fileToWrite, notesOf, overwriteCheck, parentNotes, parentsOf, writeNotes, writeWithParents,
} from '../../../../2-files/src/index.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Writes a file; data `{path, bytesWritten, createdDirs?}`. */
export const fileWrite = defineVerb({
  ...CLADA_WRITE,
  name: 'file_write',
  description: 'Write a file: create it with any missing parent directories, or replace its whole content.',
  constraints: [
    'Atomic: the file has either its old or its new content.',
    'Nothing is added: for a line break at the end, leave an empty line before the terminator of a heredoc.',
  ],
  primary: 'path',
  writesOneFile: true,
  args: v.strictObject({
    path: absolutePath('File to write.'),
    content: text('The whole new content.'),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    bytesWritten: integer('Size of the file in bytes.', 0),
    ...parentNotes,
    ...writeNotes,
  }),
  examples: [{ path: '/workspace/notes/today.md', content: '# Today\n' }],
  async handler({ path, content }, context) {
    const target = fileToWrite('file_write', path, context)
    const check = overwriteCheck('file_write', path, content, context)
    await context.files.readAhead?.(target, context)
    const { written, createdDirs } = writeWithParents('file_write', path, target, content, context, check)
    return {
      path,
      bytesWritten: written.bytes,
      ...parentsOf(createdDirs),
      ...notesOf(written),
    }
  },
})
