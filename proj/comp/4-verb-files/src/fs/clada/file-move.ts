import * as v from 'valibot'
import { absolutePath, defineVerb, described, text } from '../../../../0-contracts/src/index.js'
import { parentNotes, parentsOf } from '../../../../2-files/src/index.js'
import { moveEntry } from '../move-entry.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Moves a file; data `{old_path, new_path, createdDirs?, overwrote?}`. */
export const fileMove = defineVerb({
  ...CLADA_WRITE,
  name: 'file_move',
  description: 'Move or rename a file, creating missing parent directories. An existing file at the new path is '
    + 'replaced.',
  constraints: [
    'A directory can be moved to a path where nothing is.',
    'A symbolic link is moved or replaced itself, not what it points to.',
    'A directory that holds what the policy denies stays where it is.',
  ],
  primary: 'old_path',
  args: v.strictObject({
    old_path: absolutePath('File or directory to move.'),
    new_path: absolutePath('Its new path, name included.'),
  }),
  result: v.strictObject({
    old_path: text('The old path, as written.'),
    new_path: text('The new path, as written.'),
    ...parentNotes,
    overwrote: v.optional(described(v.boolean(), 'True where a file at the new path was replaced.')),
  }),
  examples: [{ old_path: '/workspace/notes/today.md', new_path: '/workspace/archive/monday.md' }],
  async handler({ old_path, new_path }, context) {
    const move = { from: old_path, to: new_path, parameter: 'new_path', overwrite: true, parents: true }
    const { createdDirs, overwrote } = await moveEntry('file_move', move, context)
    return { old_path, new_path, ...parentsOf(createdDirs), ...(overwrote && { overwrote }) }
  },
})
