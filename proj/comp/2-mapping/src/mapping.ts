import { holds, usedByCondition } from './conditions.js'
import type { RuleData } from './mapping-schema.js'
import { usedBySource, valueOf } from './sources.js'
import type { MappingPlace, NormalizeRule, ResultRule } from './mapping-types.js'

/** A rule with its patterns compiled. */
export interface Rule extends Omit<RuleData, 'result' | 'same_as'> {
  result: ResultRule
  /** As it stands in a file. */
  written: RuleData
}

/** A call of another harness as a call of a verb, or why it is none. */
export type MappedCall =
  | { kind: 'call'; verb: string; arguments: Record<string, unknown>; result: ResultRule }
  /** It asks nothing of this machine. */
  | { kind: 'skipped'; reason: string }
  | { kind: 'unmapped'; reason: string }
  /** No rule is for this name. */
  | { kind: 'unknown' }

/**
 * Turns calls of other harnesses' tools into calls of verbs. Nothing is guessed: what no rule covers in full is
 * unmapped.
 */
export class ToolMapping {
  readonly #tools: ReadonlyMap<string, readonly Rule[]>
  /** Rules for volatile parts of results, on top of the built-in ones. */
  readonly normalize: readonly NormalizeRule[]
  /** SHA-256 of the texts it was made from, in hex. */
  readonly hash: string
  /** Names of the mappings that ship with hermes, where it is made of nothing else. */
  readonly shipped: readonly string[] | undefined

  constructor(
    tools: ReadonlyMap<string, readonly Rule[]>, normalize: readonly NormalizeRule[], hash: string,
    shipped?: readonly string[],
  ) {
    this.#tools = tools
    this.normalize = normalize
    this.hash = hash
    this.shipped = shipped
  }

  /** The text of a mapping file that says the same, and needs no other one. */
  get file(): string {
    const tools = Object.fromEntries(
      [...this.#tools].map(([name, rules]) => [name, rules.map(({ written }) => written)]),
    )
    const normalize = this.normalize.map(
      ({ written, with: replacement, in: where }) => ({ pattern: written, with: replacement, in: where }),
    )
    return JSON.stringify({ tools, normalize })
  }

  get names(): string[] {
    return [...this.#tools.keys()]
  }

  map(name: string, args: Record<string, unknown>, place: MappingPlace): MappedCall {
    const rules = this.#tools.get(name)
    if (!rules) return { kind: 'unknown' }
    const rule = rules.find(({ when = {} }) => Object.entries(when).every(([key, condition]) => (
      holds(condition, Object.hasOwn(args, key) ? args[key] : undefined, place)
    )))
    if (!rule) return { kind: 'unmapped', reason: `no case of ${name} fits its arguments` }
    if (rule.skip !== undefined) return { kind: 'skipped', reason: rule.skip }
    if (rule.verb === undefined) return { kind: 'unmapped', reason: rule.unmapped ?? `${name} has no counterpart` }
    const used = usedBy(rule)
    const left = Object.keys(args).find((key) => !used.has(key) && args[key] !== null && args[key] !== undefined)
    if (left !== undefined) return { kind: 'unmapped', reason: `argument '${left}' of ${name} is not mapped` }
    const mapped: Record<string, unknown> = {}
    for (const [parameter, source] of Object.entries(rule.arguments ?? {})) {
      const made = valueOf(source, args, place)
      if ('problem' in made) return { kind: 'unmapped', reason: `argument ${made.problem} of ${name}` }
      if (made.value !== undefined) mapped[parameter] = made.value
    }
    return { kind: 'call', verb: rule.verb, arguments: mapped, result: rule.result }
  }
}

function usedBy(rule: Rule): Set<string> {
  return new Set([
    ...(rule.ignore ?? []),
    ...Object.entries(rule.when ?? {}).flatMap(([key, condition]) => (usedByCondition(condition) ? [key] : [])),
    ...Object.values(rule.arguments ?? {}).flatMap(usedBySource),
  ])
}
