import fc from 'fast-check'
import type { JsonSchema } from '../../../1-registry/src/registry/index.js'

/** Names and separators paths are made of, and what only looks like `..`. */
const PATH_PARTS = ['a', '..', '.', '...', '..a', 'a..', '/', '\\', '//', '😀', ' ', '\n', '']
const CHARACTERS = ['a', 'é', '😀', '𝒳', '\u0000', '\n', '"']
const NUMBERS = [0, 1, -1, 0.5, 1.5, 2 ** 31, 2 ** 53, 1e21, 1e300, -1e300, 5e-324]
const UNDECLARED = ['extra', 'Path', 'toString', 'hasOwnProperty', '', 'path ']

/** Any JSON, also deep and with names of Object's own. Keys that valibot drops are left out; they have their own test. */
const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null), fc.boolean(), fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(...CHARACTERS, ...PATH_PARTS, '1', 'true'), fc.string({ unit: 'binary', maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'path', ...UNDECLARED), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/**
 * Values for a JSON Schema: mostly valid or at the bounds, some of another kind. All are plain JSON.
 */
export function valuesFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  return nearly(schema).map((value): unknown => JSON.parse(JSON.stringify(value)))
}

function nearly(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything })
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...schema.enum) }, { weight: 1, arbitrary: fc.constant('Utf-8') })
  switch (schema.type) {
    case 'string': return texts(schema)
    case 'integer':
    case 'number': return numbers(schema)
    case 'boolean': return fc.boolean()
    case 'array': return fc.array(nearly(schema.items ?? {}), { maxLength: 4 })
    case 'object': return objects(schema)
    default: return anything
  }
}

function texts({ minLength = 0, maxLength, pattern }: JsonSchema): fc.Arbitrary<string> {
  const near = [minLength - 1, minLength, minLength + 1].filter((length) => length >= 0)
  const bounds = maxLength === undefined ? near : [...near, maxLength - 1, maxLength, maxLength + 1]
  const repeated = fc.tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom(...bounds))
    .map(([character, length]) => character.repeat(length))
  const some = fc.array(fc.constantFrom(...(pattern === undefined ? CHARACTERS : PATH_PARTS)), { maxLength: 6 })
    .map((parts) => parts.join(''))
  const words = fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength ?? 12, minLength + 12) })
  return fc.oneof({ weight: 1, arbitrary: repeated }, { weight: 2, arbitrary: some }, { weight: 3, arbitrary: words })
}

function numbers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
    .flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5])
  const within = fc.integer({ min: minimum ?? -1000, max: maximum ?? 1000 })
  return fc.oneof({ weight: 3, arbitrary: within }, { weight: 2, arbitrary: fc.constantFrom(...bounds, ...NUMBERS) })
}

function objects({ properties, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? nearly(additionalProperties) : anything
    return fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), value, { maxKeys: 4, noNullPrototype: true })
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const value = nearly(field).map((found): [string, unknown][] => [[name, found]])
    return fc.oneof(
      { weight: isRequired ? 15 : 2, arbitrary: value }, { weight: 1, arbitrary: fc.constant<[string, unknown][]>([]) },
    )
  })
  const others = fc.oneof(
    { weight: 12, arbitrary: fc.constant<[string, unknown][]>([]) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...UNDECLARED), anything).map((entry): [string, unknown][] => [entry]) },
  )
  return fc.tuple(...fields, others).map((parts) => Object.fromEntries(parts.flat()))
}
