import * as v from 'valibot'
import {
  absolutePath, boundedText, defineVerb, flag, integer, integerBetween, text, textMap, texts, toolPath, type AnyVerb,
} from '../../../0-contracts/src/index.js'

const common = { version: '1.0.0', accessibility: ['llm'], primary: undefined } as const

const food = v.pipe(
  v.strictObject({ name: text('What it is.'), grams: v.pipe(v.number(), v.description('How much.')) }), v.title('Food'),
)

const feedAnimal = defineVerb({
  ...common,
  name: 'zoo.feedAnimal',
  vocabulary: 'hermes',
  description: 'Feed an animal.\nOnce.',
  category: 'zoo',
  type: 'write',
  constraints: ['Not at night.', 'Keepers only.'],
  args: v.strictObject({
    animal: boundedText('Its name.', { min: 1, max: 80 }),
    menu: v.pipe(v.array(food), v.description('What it gets.')),
    treat: v.optional(food),
    mood: v.optional(v.pipe(v.picklist(['calm', 'wild']), v.description('How it is today.')), 'calm'),
    portions: v.optional(integerBetween('How many times.', 1, 9), 1),
    factor: v.optional(v.pipe(v.number(), v.description('Of each weight.'))),
    quietly: flag('Without a word. Default: true.', true),
    labels: v.optional(textMap('Notes by name.')),
    helpers: v.optional(texts('Who helps.')),
    until: v.nullish(integer('Last minute.', 0)),
  }),
  result: v.strictObject({
    leftovers: v.array(food),
    keeper: v.strictObject({ first_name: v.string(), on_duty: v.boolean() }),
    byName: v.record(v.string(), v.strictObject({ bite_count: v.number() })),
    moods: v.array(v.picklist(['calm', 'wild'])),
    vet: v.nullable(v.string()),
  }),
  examples: [{ animal: 'Bo', menu: [{ name: 'hay', grams: 500 }] }],
  handler: () => { throw new Error('not run') },
})

const listCages = defineVerb({
  ...common,
  name: 'list_cages',
  vocabulary: 'core',
  description: 'List the cages.',
  category: 'file_operations',
  type: 'read',
  constraints: [],
  args: v.strictObject({ path: v.optional(toolPath('Where to look, e.g. "north".')) }),
  result: v.array(v.strictObject({ cage_number: v.number(), animals: v.array(v.strictObject({ pet_name: v.string() })) })),
  examples: [{}, { path: 'north' }],
  handler: () => [],
})

const countCages = defineVerb({
  ...common,
  name: 'cage_count',
  vocabulary: 'clada',
  description: 'Count the cages.',
  category: 'zoo',
  type: 'read',
  constraints: [],
  args: v.strictObject({ path: absolutePath('Where to look.') }),
  result: v.pipe(v.number(), v.integer(), v.description('How many.')),
  examples: [{ path: '/workspace/zoo' }],
  handler: () => 0,
})

const locate = defineVerb({
  ...common,
  name: 'zoo.locate',
  vocabulary: 'hermes',
  description: 'Find an animal or a cage.',
  category: 'zoo',
  type: 'dynamic',
  constraints: [],
  args: v.strictObject({}),
  result: v.union([
    v.strictObject({ cage_number: v.number() }),
    v.strictObject({ last_seen: v.strictObject({ at_gate: v.string() }) }),
  ]),
  examples: [{}],
  handler: () => ({ cage_number: 0 }),
})

interface Tree { leaf_count: number; branches: Tree[] }
const tree: v.GenericSchema<Tree> = v.strictObject({ leaf_count: v.number(), branches: v.array(v.lazy(() => tree)) })

const showTree = defineVerb({
  ...common,
  name: 'zoo.showTree',
  vocabulary: 'hermes',
  description: 'Show a tree.',
  category: 'zoo',
  type: 'meta',
  constraints: [],
  args: v.strictObject({}),
  result: v.strictObject({ tree: v.lazy(() => tree) }),
  examples: [{}],
  handler: () => ({ tree: { leaf_count: 0, branches: [] } }),
})

export const SAMPLES: readonly AnyVerb[] = [feedAnimal, listCages, countCages, locate, showTree]

export function sample(name: string): AnyVerb {
  const verb = SAMPLES.find((one) => one.name === name)
  if (!verb) throw new Error(`no sample ${name}`)
  return verb
}
