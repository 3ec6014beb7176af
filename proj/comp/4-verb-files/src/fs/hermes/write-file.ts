import * as v from 'valibot'
import { defineVerb, path, text } from '../../../../0-contracts/src/index.js'
import {
  fileToWrite, notesOf, overwriteCheck, parentNotes, parentsOf, writeNotes, writeWithParents,
} from '../../../../2-files/src/index.js'
import { HERMES_WRITE } from '../verb-kinds.js'

/** Writes a file. */
export const fsWriteFile = defineVerb({
  ...HERMES_WRITE,
  name: 'fs.writeFile',
  description: 'Write a file: create it with any missing parent directories, or replace its whole content.',
  constraints: ['Atomic: the file has either its old or its new content.', 'Nothing is added to the content.'],
  primary: 'path',
  writesOneFile: true,
  args: v.strictObject({
    path: path('File to write, e.g. "notes/today.md".'),
    content: text('The whole new content.'),
  }),
  result: v.strictObject({ ...parentNotes, ...writeNotes }),
  examples: [{ path: 'notes/today.md', content: '# Today\n' }],
  async handler({ path: written, content }, context) {
    const target = fileToWrite('fs.writeFile', written, context)
    const check = overwriteCheck('fs.writeFile', written, content, context)
    await context.files.readAhead?.(target, context)
    const outcome = writeWithParents('fs.writeFile', written, target, content, context, check)
    return { ...parentsOf(outcome.createdDirs), ...notesOf(outcome.written) }
  },
})
