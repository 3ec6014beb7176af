import * as v from 'valibot'
import { notArray } from '../../0-contracts/src/index.js'

const MAPPING = 'write a mapping of names and values'
const name = v.pipe(v.string('write a name'), v.minLength(1, 'cannot be empty'))
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()], 'write a text, a number, true or false')
const number = v.number('write a number')
const index = v.pipe(number, v.safeInteger('write a whole number'), v.minValue(0, 'write a number from 0 up'))

/** Condition on an argument for a case to apply. */
const condition = v.union([
  scalar,
  v.pipe(v.array(scalar), v.minLength(1, 'name at least one value')),
  v.strictObject({ present: v.boolean('write true or false') }),
  v.strictObject({ is: v.picklist(['root', 'directory', 'unfinished'], 'write root, directory or unfinished') }),
  v.strictObject({ heredoc: name }),
  v.strictObject({
    begins: v.pipe(v.array(scalar), v.minLength(1, 'name at least one element')),
    length: v.optional(index),
  }),
], 'write a value, a list of values, or one of present, is, heredoc and begins')

/** How a parameter of the verb is computed. */
const source = v.union([
  name,
  v.strictObject({ value: v.unknown() }),
  v.strictObject({
    from: name,
    path: v.optional(v.boolean('write true or false')),
    item: v.optional(index),
    skip: v.optional(index),
    times: v.optional(number),
    plus: v.optional(number),
    beyond: v.optional(name),
    first: v.optional(index),
    not: v.optional(v.literal(true, 'write true')),
    format: v.optional(v.pipe(name, v.includes('{}', 'write {} where the value goes'))),
    newline: v.optional(v.literal(true, 'write true')),
    each: v.optional(name),
    join: v.optional(v.string('write a text')),
    shell: v.optional(v.literal(true, 'write true')),
    heredoc: v.optional(name),
    sections_of: v.optional(name),
    unless: v.optional(scalar),
    default: v.optional(v.unknown()),
  }),
], 'write the name of an argument, or from: or value:')

const result = v.strictObject({
  text: v.optional(v.array(name, 'write a list of fields')),
  unwrap: v.optional(name),
  after: v.optional(name),
  before: v.optional(name),
  fails: v.optional(v.array(name, 'write a list of patterns')),
  answers_by_code: v.optional(v.array(name, 'write a list of programs')),
})

const rule = notArray(v.strictObject({
  when: v.optional(notArray(v.record(v.string(), condition, MAPPING))),
  verb: v.optional(name),
  skip: v.optional(name),
  unmapped: v.optional(name),
  same_as: v.optional(name),
  opens: v.optional(name),
  as: v.optional(name),
  arguments: v.optional(notArray(v.record(v.string(), source, MAPPING))),
  ignore: v.optional(v.array(name, 'write a list of names')),
  omit: v.optional(v.array(name, 'write a list of names')),
  result: v.optional(result),
}, MAPPING))

const normalize = v.strictObject({
  pattern: name,
  with: v.string('write a text'),
  in: v.optional(v.picklist(['output', 'all'], 'write output or all')),
})

/** Schema of a mapping file; see docs/replay.md. */
export const MAPPING_FILE = notArray(v.strictObject({
  extends: v.optional(v.array(name, 'write a list of names and files')),
  tools: v.optional(
    notArray(v.record(v.string(), v.union([v.array(rule), rule], 'write a case, or a list of cases'), MAPPING)),
  ),
  ignore: v.optional(v.array(name, 'write a list of names')),
  normalize: v.optional(v.array(normalize, 'write a list')),
}, MAPPING))

export type MappingFile = v.InferOutput<typeof MAPPING_FILE>
export type RuleData = v.InferOutput<typeof rule>
export type ConditionData = v.InferOutput<typeof condition>
export type SourceData = v.InferOutput<typeof source>
export type ResultData = v.InferOutput<typeof result>
