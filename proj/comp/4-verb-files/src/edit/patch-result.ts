import * as v from 'valibot'
import { described, integer, text } from '../../../0-contracts/src/index.js'
import { MATCH_TIERS } from '../../../1-edits/src/index.js'
import { parentNotes, writeNotes } from '../../../2-files/src/index.js'

const tier = described(v.picklist(MATCH_TIERS), 'The loosest tier by which hunks found their place; exact: byte for '
  + 'byte.')
const applied = described(v.literal(true), 'It was so before: nothing was written.')

const fileResult = v.strictObject({
  path: text('The file, as the patch names it; the new name of a moved or copied one.'),
  change: described(v.picklist(['create', 'modify', 'delete', 'rename', 'copy']), 'What was done to it.'),
  from: v.optional(text('The old name of a moved or copied file.')),
  hunks: v.optional(integer('How many hunks were applied.', 1)),
  match: v.optional(tier),
  executable: v.optional(described(v.boolean(), 'Whether it was made executable, or no longer is.')),
  alreadyApplied: v.optional(applied),
  ...parentNotes,
  ...writeNotes,
})

/** The result of both patch verbs: file by file, in the order of the patch. */
export const patchResult = v.strictObject({
  files: described(v.array(fileResult), 'What was done, file by file.'),
  match: v.optional(tier),
  alreadyApplied: v.optional(applied),
})

export type FileResult = v.InferOutput<typeof fileResult>
export type PatchResult = v.InferOutput<typeof patchResult>
