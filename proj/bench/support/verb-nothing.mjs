import { defineVerb } from '../../../dist/index.js'
import * as v from 'valibot'

/** A verb that does nothing but tell that it has begun. */
export function nothing(begun = () => undefined) {
  return defineVerb({
    name: 'do_nothing', vocabulary: 'clada', description: 'Does nothing.', category: 'bench', version: '1.0.0',
    type: 'read', accessibility: ['llm'], constraints: [], primary: undefined,
    args: v.strictObject({ content: v.string() }), result: v.undefined(), examples: [{ content: '' }],
    handler: ({ content }) => begun(content),
  })
}
