import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { selectToolsets, type VerbRegistry } from '../../../1-registry/src/index.js'
import { didYouMean, usageError } from '../../../0-text/src/index.js'

/** All core tools at once (seed 004); the others are what verbs themselves declare. */
const CORE = 'core'

/** Which verbs are wanted: of a category, and of any of the toolsets where some are named. */
export interface VerbChoice {
  category: string | undefined
  toolsets: readonly string[]
}

/**
 * The verbs that a choice leaves, in their order.
 *
 * @param remote verbs of MCP servers, after those of the registry
 * @throws HermesError for wrong usage
 */
export function selectVerbs(
  verbs: readonly AnyVerb[], { category, toolsets }: VerbChoice, remote: readonly AnyVerb[] = [],
): AnyVerb[] {
  const all = [...verbs, ...remote]
  const categories = [CORE, ...new Set(all.map(verb => verb.category))]
  if (category !== undefined && !categories.includes(category)) {
    const hint = `${didYouMean(category, categories)}Categories: ${categories.join(', ')}.`
    throw usageError(`Unknown category: ${category}`, hint)
  }
  const inToolset = toolsets.length === 0 ? () => true : selectToolsets(toolsets)
  return all.filter(verb => isIn(verb, category) && inToolset(verb))
}

/** Why a selection is empty, to be read after "0 verbs". */
export function whyNone({ category, toolsets }: VerbChoice): string {
  if (category === undefined || toolsets.length === 0) return ''
  const which = toolsets.length === 1 ? 'toolset' : 'any of the toolsets'
  return `: none of category ${category} is in ${which} ${toolsets.join(', ')}`
}

/**
 * The verb of exactly that name, as a call would have to write it.
 * @throws HermesError for an unknown name, with the nearest one
 */
export async function loadExactVerb(registry: VerbRegistry, name: string): Promise<AnyVerb> {
  const verb = await registry.load(name)
  if (verb) return verb
  throw usageError(`Unknown verb: ${name}`, `${didYouMean(name, registry.names())}hermes tools list shows all verbs.`)
}

/**
 * The verb of that name, in any case where only one is so named.
 * @throws HermesError for an unknown name, with the nearest one
 */
export async function loadVerb(registry: VerbRegistry, name: string): Promise<AnyVerb> {
  const alike = registry.names().filter(one => one.toLowerCase() === name.toLowerCase())
  const [only = name] = alike.length === 1 ? alike : []
  return registry.has(name) ? loadExactVerb(registry, name) : loadExactVerb(registry, only)
}

function isIn(verb: AnyVerb, category: string | undefined): boolean {
  return category === undefined || verb.category === category || (category === CORE && verb.vocabulary === CORE)
}
