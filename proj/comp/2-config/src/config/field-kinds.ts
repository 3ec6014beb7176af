import * as v from 'valibot'
import { bytesOf, millisecondsOf } from './units.js'

const MOST_ENTRIES = 1000
const MOST_CHARS = 4096

export const QUOTE_IT = 'write a text; quote it where YAML reads it otherwise'
/** A check by what is wrong with a value; `undefined` where nothing is. */
export function withoutProblem<Value>(problem: (value: Value) => string | undefined) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    const message = dataset.typed ? problem(dataset.value) : undefined
    if (message !== undefined) addIssue({ message })
  })
}
export const entry = (problem: (text: string) => string | undefined) => v.pipe(
  v.string(QUOTE_IT),
  v.minLength(1, 'cannot be empty'),
  v.maxLength(MOST_CHARS, `at most ${MOST_CHARS} characters`),
  v.check((text) => !text.includes('\0'), 'cannot hold a NUL'),
  withoutProblem(problem),
)
export const list = (problem: (text: string) => string | undefined = () => undefined) => v.optional(v.pipe(
  v.array(entry(problem), 'write a list, e.g. ["a", "b"]; [] for none'),
  v.maxLength(MOST_ENTRIES, `at most ${MOST_ENTRIES} entries`),
))

/** Schema of a number, or a string such as `10MB` that stands for one. */
export function amount(read: (written: number | string) => number | undefined, example: string) {
  return v.optional(v.pipe(
    v.union([v.number(), v.string()], example),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value)
      if (value !== undefined) return value
      addIssue({ message: example })
      return NEVER
    }),
  ))
}
export const size = amount(bytesOf, 'write bytes, or a size such as 512KB, 10MB, 1GB')
export const time = amount(millisecondsOf, 'write seconds, or a time such as 500ms, 90s, 5m, 1h')
const COUNT = 'write a whole number from 1 up'
export const count = v.optional(v.pipe(v.number(COUNT), v.safeInteger(COUNT), v.minValue(1, COUNT)))
export const MAPPING = 'write a mapping of names and values'
export const text = v.optional(entry(() => undefined))
export const yesOrNo = v.optional(v.boolean('write true or false'))
