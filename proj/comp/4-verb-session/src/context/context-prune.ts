import * as v from 'valibot'
import { defineVerb, integer, texts } from '../../../0-contracts/src/index.js'
import { CONTEXT } from './context-verb.js'
import { contextKey } from './file-reference.js'
import { itemSize } from './item-content.js'

/** Removes missing files and the least recently used ones from the working context; data `{removed}`. */
export const contextPrune = defineVerb({
  ...CONTEXT,
  name: 'context_prune',
  description: 'Remove from the working context the files and parts that no longer exist and, '
    + 'where max_tokens is given, those that '
    + 'were not read or changed for longest, until the rest takes no more; and say which.',
  args: v.strictObject({ max_tokens: v.optional(integer('Most tokens that the files may take together.', 0)) }),
  result: v.strictObject({ removed: texts('The files that were removed, as written when they were added.') }),
  examples: [{}, { max_tokens: 20_000 }],
  async handler({ max_tokens: most = Infinity }, context) {
    const { context: items } = context.session
    const sized = await Promise.all([...items.values()].map(async (item) => {
      const size = await itemSize(item, context)
      return { item, tokens: size?.lost === undefined ? size?.tokens : undefined }
    }))
    const gone = sized.filter(({ tokens }) => tokens === undefined)
    let total = sized.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
    const unused = sized.filter(({ tokens = 0 }) => tokens > 0)
      .sort((a, b) => (a.item.lastUse ?? 0) - (b.item.lastUse ?? 0))
    for (const item of unused) {
      if (total <= most) break
      total -= item.tokens ?? 0
      gone.push(item)
    }
    for (const { item } of gone) items.delete(contextKey(item.resolved, item.part))
    return { removed: gone.map(({ item }) => item.path) }
  },
})
