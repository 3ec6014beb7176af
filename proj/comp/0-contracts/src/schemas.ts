import * as v from 'valibot'

/** A schema with a description. */
export function described<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description))
}

/** An object with these fields and no others, and the name that its type has in documents. */
export function titled<const Entries extends v.ObjectEntries>(title: string, entries: Entries) {
  return v.pipe(v.strictObject(entries), v.title(title))
}

/** A string parameter with a description. */
export function text(description: string) {
  return v.pipe(v.string(), v.description(description))
}

/** A string of `min` to `max` Unicode code points (as JSON Schema counts), both included. */
export function boundedText(description: string, { min = 0, max = Infinity }: { min?: number; max?: number }) {
  return v.pipe(v.string(), minCodePoints(min), maxCodePoints(max), v.description(description))
}

/**
 * A path that must be absolute (`format: absolute_path`). Checked when the call is converted, not by the schema, since
 * it depends on the run's options `relativePaths` and `rootAliases`.
 */
export function absolutePath(description: string) {
  return v.pipe(v.string(), v.description(description), v.metadata({ format: 'absolute_path' }))
}

/** A path, absolute or relative to the root; for the Hermes verbs. */
export function path(description: string) {
  return v.pipe(v.string(), v.description(description), v.metadata({ format: 'path' }))
}

/** One path component other than `..`; written without lookahead, so that every regex engine accepts it. */
const NAME = String.raw`(?:[^./\\][^/\\]*|\.(?:[^./\\][^/\\]*)?|\.\.[^/\\]+)?`
const WITHOUT_PARENT = new RegExp(String.raw`^${NAME}(?:[/\\]${NAME})*$`)

/** A path of a core tool: absolute or relative to the root, at most 4,096 code points, without `..`. */
export function toolPath(description: string) {
  return v.pipe(
    v.string(), maxCodePoints(4096), v.regex(WITHOUT_PARENT, 'a path must not contain ".."'),
    v.description(description), v.metadata({ format: 'path' }),
  )
}

/** A whole number from `min` up. */
export function integer(description: string, min: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.description(description))
}

/** A whole number from `min` to `max`, both included. */
export function integerBetween(description: string, min: number, max: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(description))
}

/** An optional boolean with a default. */
export function flag(description: string, preset: boolean) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), preset)
}

/** A list of strings. */
export function texts(description: string) {
  return v.pipe(v.array(v.string()), v.description(description))
}

/** An object with string values. */
export function textMap(description: string) {
  return v.pipe(notArray(v.record(v.string(), v.string())), v.description(description))
}

/** The schema without arrays: valibot's object schemas accept them, JSON Schema's do not. */
export function notArray<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset as unknown as v.OutputDataset<unknown, v.BaseIssue<unknown>>
    },
  }
}

/** A validation that the JSON Schema projection writes as `minLength` or `maxLength`. */
export interface CodePointsAction extends v.BaseValidation<string, string, v.BaseIssue<string>> {
  readonly type: 'min_code_points' | 'max_code_points'
  /** 0 and Infinity mean no bound. */
  readonly requirement: number
}

/** At least `requirement` code points: valibot's own `minLength` counts UTF-16 units. */
function minCodePoints(requirement: number): CodePointsAction {
  return codePoints('min_code_points', requirement, `>=${requirement}`, (length) => length >= requirement)
}

function maxCodePoints(requirement: number): CodePointsAction {
  return codePoints('max_code_points', requirement, `<=${requirement}`, (length) => length <= requirement)
}

function codePoints(
  type: CodePointsAction['type'], requirement: number, expects: string, holds: (length: number) => boolean,
): CodePointsAction {
  return {
    kind: 'validation',
    type,
    reference: codePoints,
    async: false,
    expects,
    requirement,
    '~run'(dataset, config) {
      if (dataset.typed && !isSure(dataset.value.length, holds)) {
        const length = countCodePoints(dataset.value)
        if (!holds(length)) v._addIssue(this, 'length', dataset, config, { received: `${length} characters` })
      }
      return dataset
    },
  }
}

/**
 * Whether the length in UTF-16 units decides without counting: code points are at most as many, and at least half as
 * many.
 */
function isSure(units: number, holds: (length: number) => boolean): boolean {
  return holds(units) && holds(Math.ceil(units / 2))
}

function countCodePoints(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

const time = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))

/** Schema of the option `extensions`: names from the user's config, or programs (`ExtensionSetting`). */
export const EXTENSION_SETTINGS = v.array(v.union([
  v.string(),
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1)),
    command: v.pipe(v.array(v.string()), v.minLength(1)),
    run: v.optional(v.string()),
    env: v.optional(v.record(v.string(), v.string())),
    quietMs: time,
  }),
], 'Expected NAME, NAME:COMMAND or { name, command }'))
