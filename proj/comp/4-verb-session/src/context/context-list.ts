import * as v from 'valibot'
import { defineVerb, described, integer, text } from '../../../0-contracts/src/index.js'
import { CONTEXT } from './context-verb.js'
import { lineRange } from './file-reference.js'
import { itemSize } from './item-content.js'

/** Lists the working context; data `[{path, size, tokens}]`, `size` in bytes. */
export const contextList = defineVerb({
  ...CONTEXT,
  name: 'context_list',
  version: '1.1.0',
  description: 'List the files and parts of files of the working context with their sizes in bytes and tokens, '
    + 'in the order they were added.',
  args: v.strictObject({}),
  result: v.array(v.strictObject({
    path: text('The file, as written when it was added.'),
    size: integer('Its size in bytes; 0 when it is no longer there.', 0),
    tokens: integer('About how many tokens it takes in the prompt.', 0),
    file: v.optional(text('Of a part: the file, as written.')),
    lines: v.optional(text('Of a part: its lines now, e.g. "10-40".')),
    missing: v.optional(described(
      v.boolean(), 'The file, or the part of it, is no longer there; context_prune removes it.',
    )),
    reason: v.optional(text('Why a part is missing, and what is there by a similar name.')),
  })),
  examples: [{}],
  async handler(_args, context) {
    const listed = []
    for (const item of context.session.context.values()) {
      const { path, file } = item
      const { size, tokens, lines, lost } = await itemSize(item, context) ?? { size: 0, tokens: 0, lost: '' }
      listed.push({
        path, size, tokens, ...(file !== undefined && { file }),
        ...(lines && { lines: lineRange(lines) }), ...(lost !== undefined && { missing: true }),
        ...(lost && { reason: lost }),
      })
    }
    return listed
  },
})
