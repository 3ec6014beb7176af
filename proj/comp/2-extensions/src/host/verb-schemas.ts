import * as v from 'valibot'
import type { VerbDescription } from '../kit/index.js'
import type { Fields } from '../../../2-wire/src/index.js'

const MOST = 100
const words = v.pipe(v.string(), v.maxLength(10_000))
const short = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const names = v.optional(v.pipe(v.array(short), v.maxLength(MOST)))
const object = v.pipe(
  v.record(v.string(), v.unknown()), v.check(value => !Array.isArray(value), 'Write an object, and no list'),
)

/** A verb that an extension brings. */
export const VERB = v.object({
  name: v.pipe(
    v.string(), v.maxLength(64),
    v.regex(/^[A-Za-z][\w.-]*$/, 'A verb is named with letters, digits, _, - and dots'),
  ),
  description: v.pipe(words, v.minLength(1)),
  arguments: v.optional(object), result: v.optional(object), access: v.optional(short), version: v.optional(short),
  primary: v.optional(short), examples: v.optional(v.pipe(v.array(object), v.maxLength(MOST))),
  requires: v.optional(v.object({ env: names, keys: names, programs: names, servers: names })),
} satisfies Fields<VerbDescription>)

export const VERBS_OF_AN_EXTENSION = v.pipe(
  v.array(VERB), v.maxLength(1000),
  v.check(verbs => new Set(verbs.map(({ name }) => name)).size === verbs.length, 'Two verbs have the same name'),
)

export const EXECUTION = v.looseObject({ executionId: v.pipe(v.number(), v.integer()) })
