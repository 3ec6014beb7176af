import * as v from 'valibot'
import { absolutePath, defineVerb, text, type AnyVerb, type VerbContext } from '../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'

const COMMON = {
  vocabulary: 'clada', description: 'For tests.', category: 'test', version: '1.0.0', type: 'meta', constraints: [],
  primary: undefined, examples: [],
} as const

function verb(name: string, handler: (context: VerbContext) => unknown, user = false): AnyVerb {
  return defineVerb({
    ...COMMON, name, accessibility: [user ? 'user' : 'llm'], args: v.strictObject({}), result: v.unknown(),
    handler: (_, context) => handler(context),
  })
}

/** Parameters of every kind; returns them as converted. */
const testTypes = defineVerb({
  ...COMMON,
  name: 'test_types',
  accessibility: ['llm'],
  args: v.strictObject({
    flag: v.optional(v.pipe(v.boolean(), v.description('Yes or no.'))),
    count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('A number.'))),
    level: v.optional(v.pipe(v.picklist(['low', 'high']), v.description('One of two.'))),
    path: v.optional(absolutePath('A path.')),
    note: v.optional(text('A text.'), 'none'),
  }),
  result: v.unknown(),
  handler: (args) => args,
})

/**
 * The built-in verbs and some that fail in ways those never should.
 *
 * @param cancel what `test_cancel` calls
 */
export function testRegistry(cancel: () => void = () => undefined): VerbRegistry {
  const registry = new VerbRegistry(VERBS).register(testTypes)
  return registry
    .register(verb('test_throw', () => { throw new Error('something inside\nbroke') }))
    .register(verb('test_throw_text', () => { throw 'not an Error' as unknown }))
    .register(verb('test_reject', () => Promise.reject(new TypeError('late'))))
    .register(verb('test_user', () => 'ran', true))
    .register(verb('test_cancel', () => cancel()))
    .register(verb('Test.Dotted', () => 'dotted'))
    .registerLazy({ name: 'test_unloadable', load: () => Promise.reject(new Error('cannot be loaded')) })
}
