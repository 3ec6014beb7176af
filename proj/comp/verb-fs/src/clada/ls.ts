import { join } from 'node:path'
import * as v from 'valibot'
import { absolutePath, defineVerb } from '../../../contracts/src/index.js'
import { approveIfAllowed, approvePath, missingPath, pathError } from '../../../verb-paths/src/index.js'

const TYPES = { file: 'file', directory: 'directory', link: 'symlink', other: 'other' } as const

/** Seed 002 `ls`: `[{name, type, size, modified}]`, `size` in bytes, `modified` as ISO 8601. */
export const ls = defineVerb({
  name: 'ls',
  vocabulary: 'clada',
  description: 'List a directory: name, type (file, directory, symlink, other), size in bytes and time of the last '
    + 'change of each entry, sorted by name.',
  category: 'directory',
  version: '1.0.0',
  type: 'read',
  accessibility: ['llm'],
  constraints: ['Not recursive.', 'Entries the policy denies are not listed.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('Directory to list.') }),
  result: v.array(v.strictObject({
    name: v.string(),
    type: v.picklist(['file', 'directory', 'symlink', 'other']),
    size: v.number(),
    modified: v.string(),
  })),
  examples: [{ path: '/workspace/src' }],
  handler({ path }, context) {
    const { files, gate } = context
    const directory = approvePath(gate, 'ls', path, 'read')
    const found = files.stat(directory)
    if (found === undefined) throw missingPath('ls', path, directory, context)
    if (found.kind !== 'directory') {
      throw pathError('ENOTDIR', 'ls', path, 'It is a file; file_read reads it.')
    }
    return files.list(directory).flatMap(({ name, kind }) => {
      // `remove` approves a link itself, wherever it leads.
      const entry = approveIfAllowed(gate, join(directory, name), kind === 'link' ? 'remove' : 'read')
      const stat = entry && files.lstat(entry)
      if (stat === undefined) return []
      return [{ name, type: TYPES[stat.kind], size: stat.size, modified: new Date(stat.mtimeMs).toISOString() }]
    })
  },
})
