import * as v from 'valibot'
import { absolutePath, defineVerb, integer, text } from '../../../0-contracts/src/index.js'
import { approvePath, missingPath, pathError } from '../../../2-files/src/index.js'
import { itemSize } from './item-size.js'

/** Seed 002 `context_add`: `{path}`. */
export const contextAdd = defineVerb({
  name: 'context_add',
  vocabulary: 'clada',
  description: 'Add a file to the working context, which the session keeps: '
    + 'the next prompts show it as it then is. One '
    + 'that is in it already stays.',
  category: 'context',
  type: 'meta',
  accessibility: ['llm', 'user'],
  constraints: ['Kept in memory for the session only.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to add.') }),
  result: v.strictObject({
    path: text('The file, as written.'),
    tokens: integer('About how many tokens it takes in the prompt.', 0),
  }),
  examples: [{ path: '/workspace/src/main.ts' }],
  handler({ path }, context) {
    const resolved = approvePath(context.gate, 'context_add', path, 'read')
    const found = context.files.stat(resolved)
    if (found === undefined) throw missingPath('context_add', path, resolved, context)
    if (found.kind !== 'file') {
      throw pathError('EISDIR', 'context_add', path, 'Only files can be added; glob lists those of a directory.')
    }
    const { context: items } = context.session
    const item = items.get(resolved) ?? { path, resolved }
    items.set(resolved, item)
    // The session notes what is used at the gate: adding is a use.
    approvePath(context.gate, 'context_add', path, 'read')
    return { path, tokens: itemSize(item, context)?.tokens ?? 0 }
  },
})
