import * as v from 'valibot'
import { defineVerb, texts } from '../../../0-contracts/src/index.js'
import { CONTEXT } from './context-verb.js'

/** Empties the working context; data `{removed}`. */
export const contextClear = defineVerb({
  ...CONTEXT,
  name: 'context_clear',
  description: 'Remove every file from the working context, and say which. The files themselves stay.',
  args: v.strictObject({}),
  result: v.strictObject({ removed: texts('The files that were removed, as written when they were added.') }),
  examples: [{}],
  handler(_args, { session: { context: items } }) {
    const removed = [...items.values()].map(({ path }) => path)
    items.clear()
    return { removed }
  },
})
