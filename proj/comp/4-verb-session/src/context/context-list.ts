import * as v from 'valibot'
import { defineVerb, integer, text } from '../../../0-contracts/src/index.js'
import { itemSize } from './item-size.js'

/** Seed 002 `context_list`: `[{path, size}]`, `size` in bytes; and `tokens`. */
export const contextList = defineVerb({
  name: 'context_list',
  vocabulary: 'clada',
  description: 'List the files of the working context with their sizes in bytes and tokens, '
    + 'in the order they were added.',
  category: 'context',
  type: 'meta',
  accessibility: ['llm', 'user'],
  args: v.strictObject({}),
  result: v.array(v.strictObject({
    path: text('The file, as written when it was added.'),
    size: integer('Its size in bytes; 0 when it is no longer there.', 0),
    tokens: integer('About how many tokens it takes in the prompt.', 0),
    missing: v.optional(v.pipe(v.boolean(), v.description('The file is no longer there; context_prune removes it.'))),
  })),
  examples: [{}],
  handler(_args, context) {
    return [...context.session.context.values()].map((item) => {
      const size = itemSize(item, context)
      return size === undefined ? { path: item.path, size: 0, tokens: 0, missing: true } : { path: item.path, ...size }
    })
  },
})
