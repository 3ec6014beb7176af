import { isAbsolute } from 'node:path'
import * as v from 'valibot'
import { isRecord, type HermesError } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { dotted, problemsError } from '../yaml/index.js'
import { shownOwnFile } from './hermes-home.js'
import { namesAt, OF_THE_USER, POLICY, type PolicyValues } from './policy-schema.js'

type Path = readonly (string | number)[]

/** A policy, and the places of its values. */
export interface PolicySource {
  values: PolicyValues
  /** Place of a value for messages: `hermes.yaml:7`. */
  place(...path: Path): string
  /** Base of relative paths and patterns; `undefined` for the user's policy, which applies to any root. */
  directory: string | undefined
}

/** Place in a source, e.g. `hermes.yaml:7:3`; `order` sorts places of one source. */
export interface Place {
  text: string
  order: number
}

/** Returns the place of the value at a path of keys, or of the key itself. */
export type Locate = (path: Path, atKey: boolean) => Place

/**
 * Validates a policy.
 *
 * @param locate names a place in messages, e.g. `hermes.yaml:7:3`
 * @throws HermesError `code`: the first problem in the message, all in the hint
 */
export function checkPolicy(
  given: unknown, locate: Locate, { code, isProject }: { code: string; isProject: boolean },
): PolicyValues {
  const value = withVerbModules(given)
  const checked = v.safeParse(POLICY, value)
  const problems = checked.success ? [] : checked.issues.map((issue) => describe(issue, locate, isProject))
    .sort((a, b) => a.order - b.order).map(({ text }) => text)
  if (isProject && problems.length === 0) {
    const taken = OF_THE_USER.find((name) => isSet(value, name.split('.')))
    if (taken !== undefined) {
      const place = locate(taken.split('.'), true).text
      problems.push(`${place}: ${taken} is the user's to set, in ${shownOwnFile()}`)
    }
  }
  if (!isProject && checked.success) {
    // Roots must not depend on the working directory.
    for (const name of ['roots', 'trusted_hooks'] as const) {
      const at = (checked.output[name] ?? []).findIndex((path) => !isAbsolute(path) && !/^~(?=[\\/]|$)/.test(path))
      if (at !== -1) problems.push(`${locate([name, at], false).text}: ${name}[${at}]: write an absolute path, or ~/…`)
    }
  }
  if (checked.success && problems.length === 0) return checked.output
  throw policyError(code, problems)
}

/** Expands the short form `verbs: [a.js]` to `verbs: { modules: [a.js] }`. */
function withVerbModules(value: unknown): unknown {
  return isRecord(value) && Array.isArray(value['verbs']) ? { ...value, verbs: { modules: value['verbs'] } } : value
}

/** The path of a value in the text as written, which may have the short form. */
export function asWritten(value: unknown, path: Path): Path {
  const isShort = isRecord(value) && Array.isArray(value['verbs'])
  return isShort && path[0] === 'verbs' && path[1] === 'modules' ? ['verbs', ...path.slice(2)] : path
}

function isSet(value: unknown, [name = '', ...below]: readonly string[]): boolean {
  if (!isRecord(value) || !(name in value)) return false
  return below.length === 0 || isSet(value[name], below)
}

/** @param problems at least one, each with its place */
export function policyError(code: string, problems: readonly string[]): HermesError {
  return problemsError(code, problems, 'Nothing runs until the policy can be read: hermes help policy describes it.')
}

function describe(issue: v.BaseIssue<unknown>, locate: Locate, isProject: boolean): Place {
  const path = (issue.path ?? []).map(({ key }) => key as string | number)
  const name = dotted(path)
  if (issue.expected === 'never') {
    const above = path.slice(0, -1)
    const known = namesAt(above).filter((key) => !isProject || !OF_THE_USER.includes([...above, key].join('.')))
    const meant = nearest(String(path.at(-1)), known)
    const instead = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`
    return inPlace(locate(path, true), `unknown name ${name}; ${instead}`)
  }
  return inPlace(locate(path, false), `${name === '' ? 'the policy' : name}: ${issue.message}`)
}

function inPlace({ text, order }: Place, problem: string): Place {
  return { text: `${text}: ${problem}`, order }
}
