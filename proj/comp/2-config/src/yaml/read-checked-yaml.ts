import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { namesAt } from './schema-names.js'
import { parseStrictYaml, type StrictYaml } from './checked-yaml.js'

export interface YamlSource {
  text: string
  /** Name of the text in messages. */
  name: string
  /** Code of errors, e.g. `INVALID_MAPPING`. */
  code: string
  /** Hint: where its format is described. */
  hint: string
}

export type KeyPath = readonly (string | number)[]

export interface CheckedYaml<Output> {
  values: Output
  /** Place of a value, `name:7:3`; with `atKey` that of its key. */
  place(path: KeyPath, atKey?: boolean): string
  /** An error with the same code, at a place of the text. */
  error(path: KeyPath, problem: string): HermesError
}

const MOST_SHOWN = 5

/**
 * Parses YAML 1.2 (core schema, no aliases, no custom tags) and validates it. An empty text is an empty mapping.
 *
 * @throws HermesError `source.code`: the first problem with line and column in the message, the others in the hint
 */
export async function readCheckedYaml<Schema extends v.GenericSchema>(
  source: YamlSource, schema: Schema,
): Promise<CheckedYaml<v.InferOutput<Schema>>> {
  const { name } = source
  const yaml = await parseStrictYaml(source.text)
  if ('problems' in yaml) throw failure(source, yaml.problems)
  const checked = v.safeParse(schema, yaml.value ?? {})
  if (!checked.success) {
    const problems = checked.issues.flatMap((issue) => problemsOf(issue, schema))
    throw failure(source, problems.map(({ path, atKey, problem }) => ({ ...yaml.locate(path, atKey), problem })))
  }
  const place = (path: KeyPath, atKey = false): string => at(name, yaml.locate(path, atKey))
  return {
    values: checked.output,
    place,
    error: (path, problem) => new HermesError(source.code, `${place(path)}: ${problem}`, { hint: source.hint }),
  }
}

interface Problem {
  path: KeyPath
  /** The problem concerns the key, not the value. */
  atKey: boolean
  /** A required value is missing. */
  isMissing: boolean
  problem: string
}

/** Problems of an issue; for a union, those of the alternative that matched furthest. */
function problemsOf(issue: v.BaseIssue<unknown>, schema: v.GenericSchema, above: KeyPath = []): Problem[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)]
  if (issue.type === 'union' && issue.issues) {
    const deeper = issue.issues.flatMap((each) => problemsOf(each, schema, path))
      .filter((each) => each.path.length > path.length)
    // With a misspelt key, missing ones are not reported.
    const told = deeper.some(({ atKey }) => atKey) ? deeper.filter(({ isMissing }) => !isMissing) : deeper
    return told.length > 0 ? told : [wrongValue(path, issue)]
  }
  if (issue.expected === 'never' && issue.path) {
    const meant = nearest(String(path.at(-1)), namesAt(schema, path.slice(0, -1)))
    const instead = meant === undefined ? '' : `; did you mean ${meant}?`
    return [{ path, atKey: true, isMissing: false, problem: `unknown name ${dotted(path)}${instead}` }]
  }
  return [wrongValue(path, issue)]
}

function wrongValue(path: KeyPath, { received, message }: v.BaseIssue<unknown>): Problem {
  const where = path.length === 0 ? '' : `${dotted(path)}: `
  return { path, atKey: false, isMissing: received === 'undefined', problem: `${where}${message}` }
}

/** `a.b[2].c`: a path in a text. */
export function dotted(path: KeyPath): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('')
}

type Located = ReturnType<StrictYaml['locate']>

function at(name: string, { line, column }: Located): string {
  return `${name}:${line}:${column}`
}

function failure(source: YamlSource, problems: readonly (Located & { problem: string })[]): HermesError {
  const all = problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map((each) => `${at(source.name, each)}: ${each.problem}`)
  return problemsError(source.code, [...new Set(all)], source.hint)
}

/**
 * The error for a text: the first problem is the message, some of the others stand in the hint.
 *
 * @param problems at least one, each with its place
 */
export function problemsError(code: string, problems: readonly string[], hint: string): HermesError {
  const [first = '', ...more] = problems
  const shown = more.slice(0, MOST_SHOWN - 1)
  const rest = more.length - shown.length
  const others = shown.length === 0 ? [] : ['Also:', ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])]
  return new HermesError(code, first, { hint: [hint, ...others].join('\n') })
}
