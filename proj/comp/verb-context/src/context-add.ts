import * as v from 'valibot'
import { absolutePath, defineVerb, text } from '../../contracts/src/index.js'
import { approvePath, missingPath, pathError } from '../../verb-paths/src/index.js'

/** Seed 002 `context_add`: `{path}`. */
export const contextAdd = defineVerb({
  name: 'context_add',
  vocabulary: 'clada',
  description: 'Add a file to the working context, which the session keeps. One that is in it already stays.',
  category: 'context',
  version: '1.0.0',
  type: 'meta',
  accessibility: ['llm', 'user'],
  constraints: ['Kept in memory for the session only.'],
  primary: 'path',
  args: v.strictObject({ path: absolutePath('File to add.') }),
  result: v.strictObject({ path: text('The file, as written.') }),
  examples: [{ path: '/workspace/src/main.ts' }],
  handler({ path }, context) {
    const resolved = approvePath(context.gate, 'context_add', path, 'read')
    const found = context.files.stat(resolved)
    if (found === undefined) throw missingPath('context_add', path, resolved, context)
    if (found.kind !== 'file') {
      throw pathError('EISDIR', 'context_add', path, 'Only files can be added; glob lists those of a directory.')
    }
    const { context: items } = context.session
    if (!items.has(resolved)) items.set(resolved, { path, resolved })
    return { path }
  },
})
