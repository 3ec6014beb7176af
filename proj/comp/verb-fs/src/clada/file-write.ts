import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../contracts/src/index.js'
import { approvePath } from '../../../verb-paths/src/index.js'
import { checkFileName, notesOf, writeNotes, writeWithParents } from '../write-text.js'

/** Seed 002 `file_write`: `{path, bytesWritten, createdDirs?}`. */
export const fileWrite = defineVerb({
  name: 'file_write',
  vocabulary: 'clada',
  description: 'Write a file: create it with any missing parent directories, or replace its whole content.',
  category: 'file',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
  constraints: [
    'Atomic: the file has either its old or its new content.',
    'Nothing is added: for a line break at the end, leave an empty line before the terminator of a heredoc.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: absolutePath('File to write.'),
    content: text('The whole new content.'),
  }),
  result: v.strictObject({
    path: v.string(),
    bytesWritten: v.number(),
    createdDirs: v.optional(v.array(v.string())),
    ...writeNotes,
  }),
  examples: [{ path: '/workspace/notes/today.md', content: '# Today\n' }],
  handler({ path, content }, context) {
    checkFileName('file_write', path)
    const target = approvePath(context.gate, 'file_write', path, 'write')
    const { written, createdDirs } = writeWithParents('file_write', path, target, content, context)
    return {
      path,
      bytesWritten: written.bytes,
      ...(createdDirs.length > 0 && { createdDirs }),
      ...notesOf(written),
    }
  },
})
