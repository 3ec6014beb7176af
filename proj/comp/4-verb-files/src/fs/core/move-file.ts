import * as v from 'valibot'
import { defineVerb, described, flag, text, toolPath } from '../../../../0-contracts/src/index.js'
import { moveEntry } from '../move-entry.js'

/** Core tool: moves a file. */
export const moveFile = defineVerb({
  name: 'move_file',
  vocabulary: 'core',
  description: 'Move or rename a file. An existing file at the destination is replaced only with overwrite: true. A '
    + 'directory can be moved to a path where nothing is.',
  category: 'file_operations',
  type: 'write',
  constraints: [
    'The directory of the destination must exist.',
    'A symbolic link is moved or replaced itself, not what it points to.',
    'A directory that holds what the policy denies stays where it is.',
  ],
  primary: 'source',
  args: v.strictObject({
    source: toolPath('File or directory to move, absolute or relative to the root, e.g. "notes/today.md".'),
    destination: toolPath('Its new path, name included, e.g. "notes/monday.md".'),
    overwrite: flag('Whether an existing file at the destination is replaced. Default: false.', false),
  }),
  result: v.strictObject({
    source: text('The old path, as written.'),
    destination: text('The new path, as written.'),
    overwrote: v.optional(described(v.boolean(), 'True where a file at the destination was replaced.')),
  }),
  examples: [{ source: 'notes/today.md', destination: 'notes/monday.md' }],
  async handler({ source, destination, overwrite }, context) {
    const move = { from: source, to: destination, parameter: 'destination', overwrite, parents: false }
    const { overwrote } = await moveEntry('move_file', move, context)
    return { source, destination, ...(overwrote && { overwrote }) }
  },
})
