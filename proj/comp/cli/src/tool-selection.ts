import type { AnyVerb } from '../../contracts/src/index.js'
import { selectToolsets, VerbRegistry } from '../../registry/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import { didYouMean, usageError, type Arguments } from './arguments.js'

/** All core tools at once (seed 004); the others are what verbs themselves declare. */
const CORE = 'core'

/**
 * The verbs that `--category` and `--toolset` leave, in the order of the registry.
 *
 * @throws HermesError for wrong usage
 */
export async function selectVerbs(args: Arguments): Promise<AnyVerb[]> {
  const all = await new VerbRegistry(VERBS).loadAll()
  const category = args.value('category')
  const categories = [CORE, ...new Set(all.map(verb => verb.category))]
  if (category !== undefined && !categories.includes(category)) {
    const hint = `${didYouMean(category, categories)}Categories: ${categories.join(', ')}.`
    throw usageError(`Unknown category: ${category}`, hint)
  }
  const toolsets = args.values('toolset')
  const inToolset = toolsets.length === 0 ? () => true : selectToolsets(toolsets)
  return all.filter(verb => isIn(verb, category) && inToolset(verb))
}

/** The verb of that name, as blocks may write it. @throws HermesError for an unknown name, with the nearest one */
export async function loadVerb(name: string): Promise<AnyVerb> {
  const registry = new VerbRegistry(VERBS)
  const verb = await registry.load(name)
  if (verb) return verb
  throw usageError(`Unknown verb: ${name}`, `${didYouMean(name, registry.names())}hermes tools list shows all verbs.`)
}

function isIn(verb: AnyVerb, category: string | undefined): boolean {
  return category === undefined || verb.category === category || (category === CORE && verb.vocabulary === CORE)
}
