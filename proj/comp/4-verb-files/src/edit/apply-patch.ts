import * as v from 'valibot'
import { defineVerb, text } from '../../../0-contracts/src/index.js'
import { readV4a } from '../../../1-edits/src/index.js'
import { EDIT } from './edit-verb.js'
import { patchResult } from './patch-result.js'
import { runPatch } from './run-patch.js'

/** Applies a patch in the V4A format. */
export const applyPatch = defineVerb({
  ...EDIT,
  name: 'apply_patch',
  description: 'Change files by a V4A patch: *** Begin Patch, then *** Add File, *** Update File (with hunks, and '
    + '*** Move to) or *** Delete File sections, then *** End Patch. Of each file all hunks are applied or none.',
  constraints: [
    'Every hunk must have one place in the file; @@ and a line above it tell it from others.',
    'A file to add or to move to must not exist yet.',
  ],
  primary: 'patch',
  args: v.strictObject({
    patch: text('The whole patch, from *** Begin Patch to *** End Patch; paths are absolute or relative to the root.'),
  }),
  result: patchResult,
  examples: [{
    patch: '*** Begin Patch\n*** Add File: notes/today.md\n+# Today\n*** End Patch\n',
  }],
  handler: ({ patch }, context) => runPatch('apply_patch', readV4a(patch), context),
})
