import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../../contracts/src/index.js'
import { getByteLength, readText } from '../../../files/src/index.js'
import { approvePath } from '../../../verb-paths/src/index.js'
import { checkFileName, checkSize, notesOf, writeNotes, writeWithParents } from '../write-text.js'

/** Seed 002 `file_append`: `{path, bytesWritten, createdDirs?}`, of which `bytesWritten` counts the bytes appended. */
export const fileAppend = defineVerb({
  name: 'file_append',
  vocabulary: 'clada',
  description: 'Append text to the end of a file, exactly as given: no line break is added before or after it. A '
    + 'missing file is created, with any missing parent directories.',
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
    path: absolutePath('File to append to.'),
    content: text('Text to append.'),
  }),
  result: v.strictObject({
    path: v.string(),
    bytesWritten: v.number(),
    createdDirs: v.optional(v.array(v.string())),
    ...writeNotes,
  }),
  examples: [{ path: '/workspace/notes/today.md', content: '- One more thing\n' }],
  handler({ path, content }, context) {
    checkFileName('file_append', path)
    const { files, limits } = context
    const target = approvePath(context.gate, 'file_append', path, 'write')
    const found = files.stat(target)
    const exists = found !== undefined && found.kind !== 'directory'
    const before = exists ? readText(files, target, limits.maxFileBytes, path) : ''
    checkSize('file_append', path, before.length + content.length, limits.maxFileBytes)
    const { written, createdDirs } = writeWithParents('file_append', path, target, before + content, context)
    return {
      path,
      bytesWritten: getByteLength(content),
      ...(createdDirs.length > 0 && { createdDirs }),
      ...notesOf(written),
    }
  },
})
