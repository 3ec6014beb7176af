import * as v from 'valibot'
import { defineVerb, text } from '../../../0-contracts/src/index.js'
import { readUnified } from '../../../1-edits/src/index.js'
import { EDIT } from './edit-verb.js'
import { patchResult } from './patch-result.js'
import { runPatch } from './run-patch.js'

/** Applies unified diffs. */
export const patchUnified = defineVerb({
  ...EDIT,
  name: 'patch_unified',
  description: 'Change files by a unified diff, as diff -u and git diff write it: new, deleted, renamed, copied and '
    + 'executable files too. Of each file all hunks are applied or none. What git apply takes is applied as it does.',
  constraints: [
    'A hunk that does not match at its line must have one place in the file; wrong counts and line numbers do no harm.',
    'Text files only: no binary patches, symbolic links or submodules.',
  ],
  primary: 'patch',
  args: v.strictObject({
    patch: text('The diff of one or more files; paths are absolute or relative to the root, with a/ and b/ or not.'),
  }),
  result: patchResult,
  examples: [{
    patch: '--- /dev/null\n+++ b/notes/today.md\n@@ -0,0 +1 @@\n+# Today\n',
  }],
  handler: ({ patch }, context) => runPatch('patch_unified', readUnified(patch), context),
})
