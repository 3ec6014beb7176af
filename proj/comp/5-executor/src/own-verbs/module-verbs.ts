import { usageError } from '../../../0-text/src/index.js'
import { caught, defineVerb, HermesError, isRecord, type AnyVerb } from '../../../0-contracts/src/index.js'
import type { VerbModule } from '../../../2-config/src/index.js'
import { VerbRegistry, type LazyVerb } from '../../../1-registry/src/index.js'

const HOW = 'Export what defineVerb of hermes returns: hermes help writing-a-verb shows one.'

/** A verb that the user's config brings besides hermes' own, loaded when it is first used. */
export interface ConfiguredVerb extends LazyVerb {
  /** Who brings it, for messages. */
  by: string
}

/**
 * The verbs of the modules that the user's config names, and a line for each that is left out. Each module is loaded,
 * to learn the names.
 */
export async function moduleVerbs(
  modules: readonly VerbModule[],
): Promise<{ verbs: ConfiguredVerb[]; warnings: string[] }> {
  const own: Awaited<ReturnType<typeof moduleVerbs>> = { verbs: [], warnings: [] }
  if (modules.length === 0) return own
  const { loadOwnModules } = await import('../../../2-packages/src/index.js')
  const loaded = await loadOwnModules(modules.map(({ path }) => path))
  for (const [index, module] of loaded.entries()) {
    const { written = module.path, place = '' } = modules[index] ?? {}
    const { verbs, problems } = 'error' in module ? { verbs: [], problems: [module.error] } : verbsIn(module.exports)
    for (const { message, hint = '' } of problems) {
      own.warnings.push(`${place}: ${written}: ${message}. ${hint}`.trim())
    }
    for (const verb of verbs) {
      const brought: AnyVerb = { ...verb, origin: `module ${written}` }
      own.verbs.push({
        name: verb.name, version: verb.version, by: `${place}: ${written}`, load: () => Promise.resolve(brought),
      })
    }
  }
  return own
}

function verbsIn(exports: Readonly<Record<string, unknown>>): { verbs: AnyVerb[]; problems: HermesError[] } {
  const values = Object.values(exports).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
  const given = [...new Set(values)].filter((value) => isRecord(value) && ('handler' in value || 'args' in value))
  const verbs: AnyVerb[] = []
  const problems = given.length > 0 ? [] : [usageError('it exports no verb', HOW)]
  for (const value of given) {
    caught(HermesError, () => verbs.push(checked(value as AnyVerb)), (error) => problems.push(error))
  }
  return { verbs, problems }
}

/** @throws HermesError `INVALID_OPTION` */
function checked(value: AnyVerb): AnyVerb {
  const verb = defineVerb(value as never) as unknown as AnyVerb
  const { name, description, category, examples } = verb as Partial<AnyVerb>
  // Help and prompts need these; the registry checks the rest.
  const missing = typeof description !== 'string' || description.trim() === '' ? 'description'
    : typeof category !== 'string' || category === '' ? 'category'
      : Array.isArray(examples) ? undefined : 'examples'
  const which = typeof name === 'string' ? name : 'a verb'
  if (missing !== undefined) throw usageError(`${which} has no ${missing}`, HOW)
  new VerbRegistry().register(verb)
  return verb
}
