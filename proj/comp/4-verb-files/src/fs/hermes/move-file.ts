import * as v from 'valibot'
import { defineVerb, flag, path } from '../../../../0-contracts/src/index.js'
import { parentNotes, parentsOf } from '../../../../2-files/src/index.js'
import { moveEntry } from '../move-entry.js'
import { HERMES_WRITE } from '../verb-kinds.js'

/** Moves a file; an existing destination needs `overwrite`. */
export const fsMoveFile = defineVerb({
  ...HERMES_WRITE,
  name: 'fs.moveFile',
  description: 'Move or rename a file, creating missing parent directories. An existing file at the destination is '
    + 'replaced only with overwrite: true. A directory can be moved to a path where nothing is.',
  constraints: [
    'A symbolic link is moved or replaced itself, not what it points to.',
    'A directory that holds what the policy denies stays where it is.',
  ],
  primary: 'sourcePath',
  args: v.strictObject({
    sourcePath: path('File or directory to move, e.g. "notes/today.md".'),
    destinationPath: path('Its new path, name included, e.g. "archive/monday.md".'),
    overwrite: flag('Whether an existing file at the destination is replaced. Default: false.', false),
  }),
  result: v.strictObject({ ...parentNotes }),
  examples: [{ sourcePath: 'notes/today.md', destinationPath: 'archive/monday.md' }],
  async handler({ sourcePath: from, destinationPath: to, overwrite }, context) {
    const move = { from, to, parameter: 'destinationPath', overwrite, parents: true }
    return parentsOf((await moveEntry('fs.moveFile', move, context)).createdDirs)
  },
})
