import * as v from 'valibot'
import { notArray } from '../../../0-contracts/src/index.js'
import { problemOfGlob } from './glob.js'
import { problemOfHook } from './hook-commands.js'
import { QUOTE_IT, time, withoutProblem, yesOrNo } from './field-kinds.js'

const MOST_HOOKS = 100
const COMMAND = 'write a command line, or a list of words, e.g. [npx, prettier, --write, "{paths}"]'
const word = v.pipe(
  v.string(QUOTE_IT), v.maxLength(4096, 'at most 4096 characters'),
  v.check((text) => !text.includes('\0'), 'cannot hold a NUL'),
)
const pattern = v.pipe(word, withoutProblem(problemOfGlob))

const COMMON = {
  name: v.optional(
    v.pipe(word, v.regex(/^[^\s\p{C}](?:[^\p{C}]{0,38}[^\s\p{C}])?$/u, 'write a name of 1 to 40 characters')),
  ),
  run: v.union([word, v.pipe(v.array(word), v.maxLength(1000, 'at most 1000 words'))], COMMAND),
  time_limit: time,
  continue_on_error: yesOrNo,
}
const OF_FILES = {
  ...COMMON,
  files: v.optional(v.union(
    [pattern, v.pipe(v.array(pattern), v.maxLength(100, 'at most 100 patterns'))], 'write a pattern, or a list of them',
  )),
  each: v.optional(v.picklist(['file', 'run'], 'write file or run')),
}

const MAPPING = 'write a mapping with run:'
const LIST = 'write a list of hooks, each with run:'
const AROUND = v.pipe(
  v.strictObject(COMMON, MAPPING), withoutProblem(({ run }) => problemOfHook({ run, each: 'never' })),
)
const AFTER_WRITE = v.pipe(v.strictObject(OF_FILES, MAPPING), withoutProblem((hook) => problemOfHook(hook)))

/** `hooks:` of a policy file. */
export const HOOKS = notArray(v.strictObject({
  before: v.optional(v.pipe(v.array(AROUND, LIST), v.maxLength(MOST_HOOKS, `at most ${MOST_HOOKS} hooks`))),
  after_write: v.optional(v.pipe(v.array(AFTER_WRITE, LIST), v.maxLength(MOST_HOOKS, `at most ${MOST_HOOKS} hooks`))),
  after: v.optional(v.pipe(v.array(AROUND, LIST), v.maxLength(MOST_HOOKS, `at most ${MOST_HOOKS} hooks`))),
}, 'write before:, after_write: or after:, each with a list of hooks'))
export type HookValues = v.InferOutput<typeof HOOKS>
