import { isRecord } from '../../0-contracts/src/index.js'
import { convertText, type ParameterDefinitions } from '../../1-registry/src/index.js'
import { hereText } from './here-text.js'
import { listOf } from './list-of.js'
import type { ConditionData, RuleData } from './mapping-schema.js'
import { usedBySource, valueOf } from './sources.js'
import type { MappingPlace, NormalizeRule, ResultRule } from './mapping-types.js'

/** A rule with compiled patterns. */
export interface Rule extends Omit<RuleData, 'result' | 'same_as'> {
  result: ResultRule
  /** Parameters of its verb. */
  parameters: ParameterDefinitions
  /** The rule as written in a file. */
  written: RuleData
}

/** A call of another harness, converted to a verb call. */
export interface VerbCall {
  kind: 'call'
  verb: string
  arguments: Record<string, unknown>
  result: ResultRule
  /** Given arguments for which the verb has no equivalent. */
  omitted: readonly string[]
  /** Arguments that the verb requires and that were not given. */
  missing: readonly string[]
}

/** The result of mapping a call of another harness. */
export type MappedCall =
  | VerbCall
  /** The call does not concern this machine. */
  | { kind: 'skipped'; reason: string }
  /** The call stands for several, to be run as a unit. */
  | { kind: 'several'; calls: readonly VerbCall[]; reason: string }
  | { kind: 'unmapped'; reason: string }
  /** There is no rule for this name. */
  | { kind: 'unknown' }

type Arguments = Record<string, unknown>

/** Parts of a mapping. */
export interface MappingParts {
  tools: ReadonlyMap<string, readonly Rule[]>
  normalize: readonly NormalizeRule[]
  /** Arguments to ignore for every tool. */
  ignored: ReadonlySet<string>
}

/**
 * Converts tool calls of other harnesses to verb calls. Nothing is guessed: a call that no rule covers completely is
 * unmapped.
 */
export class ToolMapping {
  readonly #tools: ReadonlyMap<string, readonly Rule[]>
  readonly #ignored: ReadonlySet<string>
  /** Rules for volatile parts of results, on top of the built-in ones. */
  readonly normalize: readonly NormalizeRule[]

  constructor(
    { tools, normalize, ignored }: MappingParts,
    /** SHA-256 of its source texts, in hex. */
    readonly hash: string,
    /** Names of shipped mappings, if it consists only of these. */
    readonly shipped?: readonly string[],
  ) {
    this.#tools = tools
    this.#ignored = ignored
    this.normalize = normalize
  }

  /** A self-contained mapping file with the same rules. */
  get file(): string {
    const tools = Object.fromEntries(
      [...this.#tools].map(([name, rules]) => [name, rules.map(({ written }) => written)]),
    )
    const normalize = this.normalize.map(
      ({ written, with: replacement, in: where }) => ({ pattern: written, with: replacement, in: where }),
    )
    return JSON.stringify({ tools, normalize, ignore: [...this.#ignored] })
  }

  get names(): string[] {
    return [...this.#tools.keys()]
  }

  map(name: string, args: Arguments, place: MappingPlace): MappedCall {
    const rules = this.#tools.get(name)
    if (!rules) return { kind: 'unknown' }
    const rule = rules.find(({ when = {} }) => Object.entries(when).every(([key, condition]) => (
      holds(condition, Object.hasOwn(args, key) ? args[key] : undefined, place)
    )))
    if (!rule) return { kind: 'unmapped', reason: `${name} takes other arguments there` }
    if (rule.skip !== undefined) return { kind: 'skipped', reason: rule.skip }
    if (rule.opens !== undefined) return this.#opened(name, rule.opens, rule.as ?? name, args, place)
    if (rule.verb === undefined) return { kind: 'unmapped', reason: rule.unmapped ?? `${name} has no counterpart` }
    const given = Object.keys(args).filter((key) => args[key] !== null && args[key] !== undefined)
    const used = usedBy(rule)
    const omitted = given.filter((key) => !used.has(key) && rule.omit?.includes(key))
    const left = given.find((key) => !used.has(key) && !this.#ignored.has(key) && !omitted.includes(key))
    if (left !== undefined) return { kind: 'unmapped', reason: `argument '${left}' of ${name} is not mapped` }
    const mapped: Arguments = {}
    const missing: string[] = []
    for (const [parameter, source] of Object.entries(rule.arguments ?? {})) {
      const made = valueOf(source, args, place)
      if ('problem' in made) return { kind: 'unmapped', reason: `argument ${made.problem} of ${name}` }
      const definition = rule.parameters[parameter]
      if (definition?.type === 'string' && typeof made.value === 'object' && made.value !== null) {
        return { kind: 'unmapped', reason: `argument '${usedBySource(source)[0]}' (no text) of ${name}` }
      }
      if (made.value === undefined) {
        if (definition?.required) missing.push(...usedBySource(source).slice(0, 1))
      } else mapped[parameter] = definition ? convertText(made.value, definition) : made.value
    }
    return { kind: 'call', verb: rule.verb, arguments: mapped, result: rule.result, omitted, missing }
  }

  /** A list of calls in one call; a list of one is that call. */
  #opened(name: string, list: string, as: string, args: Arguments, place: MappingPlace): MappedCall {
    const { [list]: written, ...shared } = args
    const items = listOf(written)
    if (!items || items.length === 0 || !items.every(isRecord)) {
      return { kind: 'unmapped', reason: `argument '${list}' (not a list of objects) of ${name}` }
    }
    const twice = items.flatMap((item) => Object.keys(item)).find((key) => Object.hasOwn(shared, key) || key === list)
    if (twice !== undefined) return { kind: 'unmapped', reason: `argument '${twice}' stands twice in ${name}` }
    const calls = items.map((item) => this.map(as, { ...shared, ...item }, place))
    const [only] = calls
    if (calls.length === 1 && only) return only
    const refused = calls.find((call) => call.kind === 'unmapped')
    if (refused) return refused
    const reason = `it holds ${items.length} calls; here each is one of its own`
    const each = calls.filter((call) => call.kind === 'call')
    return each.length === calls.length ? { kind: 'several', calls: each, reason } : { kind: 'unmapped', reason }
  }
}

function usedBy(rule: Rule): Set<string> {
  return new Set([
    ...(rule.ignore ?? []),
    ...Object.entries(rule.when ?? {}).flatMap(([key, condition]) => (usedByCondition(condition) ? [key] : [])),
    ...Object.values(rule.arguments ?? {}).flatMap(usedBySource),
  ])
}

/** Whether the value of an argument is as a case wants it. One that is not given is as good as null. */
function holds(condition: ConditionData, given: unknown, place: MappingPlace): boolean {
  const value = given ?? null
  if (Array.isArray(condition)) return condition.some((item) => isSame(item, value))
  if (typeof condition !== 'object' || condition === null) return isSame(condition, value)
  if ('present' in condition) return (value !== null) === condition.present
  if ('heredoc' in condition) return hereText(value, condition.heredoc) !== undefined
  if ('is' in condition) {
    // Where none is given, it is the root.
    if (condition.is === 'root' && (value === null || value === '')) return true
    if (typeof value !== 'string') return false
    if (condition.is === 'root') return place.isRoot(value)
    return condition.is === 'directory' ? place.isDirectory(value) : place.isUnfinished(value)
  }
  const list = listOf(value)
  if (list === undefined || list.length !== (condition.length ?? list.length)) return false
  return condition.begins.every((word, index) => list[index] === word)
}

/** A condition that fixes the value says all there is to say of it; the others leave it to be used. */
function usedByCondition(condition: ConditionData): boolean {
  return Array.isArray(condition) || typeof condition !== 'object' || condition === null
}

/** Calls written as XML or SHAM have texts for numbers, true and false, also as Python writes them. */
function isSame(wanted: unknown, value: unknown): boolean {
  if (wanted === value) return true
  if (typeof value !== 'string') return false
  return typeof wanted === 'boolean' ? value.toLowerCase() === String(wanted)
    : typeof wanted === 'number' && value === String(wanted)
}
