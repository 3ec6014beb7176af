import * as v from 'valibot'
import { absolutePath, defineVerb } from '../../../contracts/src/index.js'
import { approvePath, pathError, writtenForm } from '../../../verb-paths/src/index.js'

/** Seed 002 `dir_create`: `{path, createdDirs?}`. */
export const dirCreate = defineVerb({
  name: 'dir_create',
  vocabulary: 'clada',
  description: 'Create a directory with any missing parent directories. One that exists already is no error.',
  category: 'directory',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
  constraints: [],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to create.') }),
  result: v.strictObject({ path: v.string(), createdDirs: v.optional(v.array(v.string())) }),
  examples: [{ path: '/workspace/src/components' }],
  handler({ path }, { gate, files }) {
    const target = approvePath(gate, 'dir_create', path, 'write')
    const found = files.stat(target)
    if (found && found.kind !== 'directory') {
      throw pathError('EEXIST', 'dir_create', path, 'It is a file. Choose another path, or move the file away first.')
    }
    const createdDirs = files.makeDirectories(target).map((created) => writtenForm(path, target, created))
    return { path, ...(createdDirs.length > 0 && { createdDirs }) }
  },
})
