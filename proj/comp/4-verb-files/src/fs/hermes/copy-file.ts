import { basename, join } from 'node:path'
import * as v from 'valibot'
import {
  caught, defineVerb, flag, HermesError, isNodeError, path, type ApprovedPath, type FileStore,
} from '../../../../0-contracts/src/index.js'
import {
  namedAs, approvePath, notesOf, parentNotes, parentsOf, pathError, requireFile, withParents, writeNotes,
} from '../../../../2-files/src/index.js'
import { fileExists } from '../destination.js'
import { HERMES_WRITE } from '../verb-kinds.js'

const VERB = 'fs.copyFile'

/** Copies a file; an existing destination needs `overwrite`. */
export const fsCopyFile = defineVerb({
  ...HERMES_WRITE,
  name: VERB,
  description: 'Copy a file of any size and kind, creating missing parent directories. An existing file at the '
    + 'destination is replaced only with overwrite: true.',
  constraints: [
    'Files only; of a symbolic link what it points to is copied, or replaced.',
    'Atomic: the destination has either its old or its new content.',
    'The copy has the permissions of the source.',
  ],
  primary: 'sourcePath',
  args: v.strictObject({
    sourcePath: path('File to copy, e.g. "config.json".'),
    destinationPath: path('Path of the copy, name included, e.g. "backup/config.json".'),
    overwrite: flag('Whether an existing file at the destination is replaced. Default: false.', false),
  }),
  result: v.strictObject({ ...parentNotes, ...writeNotes }),
  examples: [{ sourcePath: 'notes/today.md', destinationPath: 'backup/today.md' }],
  async handler({ sourcePath, destinationPath, overwrite }, context) {
    const from = requireFile(VERB, sourcePath, context)
    const to = approvePath(context.gate, VERB, destinationPath, 'write')
    const { files } = context
    checkDestination({ from, to, overwrite, sourcePath, destinationPath }, files)
    for (const each of [from, to]) await files.readAhead?.(each, context)
    const copy = () => namedAs(sourcePath, from, () => namedAs(destinationPath, to, () => files.copy(from, to)))
    const { value, createdDirs } = caught(isNodeError, () => withParents(files, destinationPath, to, copy), (error) => {
      if (error.code !== 'EACCES' || error.path === from) throw error
      const hint = 'It or the directory it is in may not be changed: write another destinationPath.'
      throw pathError('EACCES', VERB, destinationPath, hint)
    })
    return { ...parentsOf(createdDirs), ...notesOf(value) }
  },
})

interface Copy {
  from: ApprovedPath
  to: ApprovedPath
  overwrite: boolean
  sourcePath: string
  destinationPath: string
}

function checkDestination({ from, to, overwrite, sourcePath, destinationPath }: Copy, files: FileStore): void {
  if (from === to) {
    throw new HermesError('INVALID_PARAMETER', `${VERB}: a file cannot be copied onto itself: '${destinationPath}'`, {
      hint: 'Write another destinationPath.',
    })
  }
  const stat = files.stat(to)
  const inside = `destinationPath: "${join(destinationPath, basename(sourcePath))}"`
  if (stat?.kind === 'directory') {
    const hint = `It is a directory. To copy the file into it write ${inside}.`
    throw pathError('EISDIR', VERB, destinationPath, hint)
  }
  if (stat && !overwrite) throw fileExists(VERB, destinationPath)
  if (!stat && destinationPath.endsWith('/')) {
    throw pathError('ENOENT', VERB, destinationPath, `Write the name of the file too: ${inside}.`)
  }
}
