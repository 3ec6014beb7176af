import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { selectToolsets, type VerbRegistry } from '../../../1-registry/src/index.js'
import { didYouMean, usageError } from '../../../0-text/src/index.js'

/** Name of the toolset of all core tools; verbs themselves declare the others. */
const CORE = 'core'

/** Selects verbs: of a category, and of any of the toolsets if some are named. */
export interface VerbChoice {
  category: string | undefined
  toolsets: readonly string[]
}

/**
 * The verbs that match a choice, in their order.
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
  return all.filter(verb => inToolset(verb) && (
    category === undefined || verb.category === category || (category === CORE && verb.vocabulary === CORE)
  ))
}

/** Why a selection is empty, to be read after "0 verbs". */
export function whyNone({ category, toolsets }: VerbChoice): string {
  if (category === undefined || toolsets.length === 0) return ''
  const which = toolsets.length === 1 ? 'toolset' : 'any of the toolsets'
  return `: none of category ${category} is in ${which} ${toolsets.join(', ')}`
}

/**
 * The verb of exactly this name, as calls must write it.
 * @throws HermesError for an unknown name, with the nearest one
 */
export async function loadExactVerb(registry: VerbRegistry, name: string): Promise<AnyVerb> {
  const verb = await registry.load(name)
  if (verb) return verb
  throw usageError(`Unknown verb: ${name}`, `${didYouMean(name, registry.names())}hermes tools list shows all verbs.`)
}

/**
 * The verb of this name; in any case, where only one matches then.
 * @throws HermesError for an unknown name, with the nearest one
 */
export async function loadVerb(registry: VerbRegistry, name: string): Promise<AnyVerb> {
  const alike = registry.names().filter(known => known.toLowerCase() === name.toLowerCase())
  const [only = name] = alike.length === 1 ? alike : []
  return registry.has(name) ? loadExactVerb(registry, name) : loadExactVerb(registry, only)
}
