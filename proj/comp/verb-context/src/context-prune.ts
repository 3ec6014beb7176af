import * as v from 'valibot'
import { defineVerb, texts } from '../../contracts/src/index.js'
import { itemSize } from './item-size.js'

/** Seed 002 `context_prune`: `{removed}`. Unused is what no longer exists. */
export const contextPrune = defineVerb({
  name: 'context_prune',
  vocabulary: 'clada',
  description: 'Remove from the working context the files that no longer exist, and say which.',
  category: 'context',
  version: '1.0.0',
  type: 'meta',
  accessibility: ['llm', 'user'],
  constraints: [],
  primary: undefined,
  args: v.strictObject({}),
  result: v.strictObject({ removed: texts('The files that were removed, as written when they were added.') }),
  examples: [{}],
  handler(_args, context) {
    const { context: items } = context.session
    const gone = [...items.values()].filter((item) => itemSize(item, context) === undefined)
    for (const { resolved } of gone) items.delete(resolved)
    return { removed: gone.map(({ path }) => path) }
  },
})
