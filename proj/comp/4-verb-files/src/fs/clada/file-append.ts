import * as v from 'valibot'
import { absolutePath, defineVerb, integer, text } from '../../../../0-contracts/src/index.js'
import { fitEndings } from '../../../../1-edits/src/index.js'
import {
  getByteLength, readText, checkSize, fileToWrite, notesOf, parentNotes, parentsOf, withinLimit, writeNotes,
  writeWithParents,
} from '../../../../2-files/src/index.js'
import { ENDINGS_FIT } from '../endings-fit.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/**
 * Appends text to a file; data `{path, bytesWritten, createdDirs?}`, where `bytesWritten` counts the appended bytes.
 */
export const fileAppend = defineVerb({
  ...CLADA_WRITE,
  name: 'file_append',
  description: 'Append text to the end of a file: no line break is added before or after it. A missing file is '
    + 'created, with any missing parent directories.',
  constraints: [
    'Atomic: the file has either its old or its new content.',
    ENDINGS_FIT,
    'Nothing is added: for a line break at the end, leave an empty line before the terminator of a heredoc.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: absolutePath('File to append to.'),
    content: text('Text to append.'),
  }),
  result: v.strictObject({
    path: text('The file, as written.'),
    bytesWritten: integer('Bytes that were appended.', 0),
    ...parentNotes,
    ...writeNotes,
  }),
  examples: [{ path: '/workspace/notes/today.md', content: '- One more thing\n' }],
  handler({ path, content }, context) {
    const { files, limits } = context
    const target = fileToWrite('file_append', path, context)
    const stat = files.stat(target)
    const exists = stat !== undefined && stat.kind !== 'directory'
    const read = () => readText(files, target, limits.maxFileBytes, path)
    const before = exists ? withinLimit(context, 'write', read) : ''
    checkSize('file_append', path, before.length + content.length, limits.maxFileBytes)
    const appended = fitEndings(before, { start: before.length, end: before.length }, content)
    const { written, createdDirs } = writeWithParents('file_append', path, target, before + appended, context)
    return {
      path,
      bytesWritten: getByteLength(appended),
      ...parentsOf(createdDirs),
      ...notesOf(written),
    }
  },
})
