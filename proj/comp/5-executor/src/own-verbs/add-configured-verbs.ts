import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import type { LoadedPolicy } from '../../../2-config/src/index.js'
import type { LivingExtensions } from '../../../2-extensions/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { moduleVerbs, type ConfiguredVerb } from './module-verbs.js'

/**
 * Adds the verbs that the user's config brings to those of hermes: of modules, which are loaded for it, then of
 * extensions, which are started when one of their verbs is first used.
 *
 * @param living the extensions of the session
 * @param isWanted asked of each when it is first used: one that is not wanted is an unknown action
 * @returns a line for each that is left out
 */
export async function addConfiguredVerbs(
  registry: VerbRegistry, loaded: Pick<LoadedPolicy, 'verbExtensions' | 'verbModules'>,
  living: () => Promise<LivingExtensions>, signal: AbortSignal, isWanted?: (verb: AnyVerb) => boolean,
): Promise<string[]> {
  const { verbs, warnings } = await moduleVerbs(loaded.verbModules)
  return [...warnings, ...addWhereFree(registry, [...verbs, ...extensionVerbs(loaded, living, signal)], isWanted)]
}

/** The verbs of extensions: their names are in the config, so that nothing is started to know them. */
function extensionVerbs(
  { verbExtensions }: Pick<LoadedPolicy, 'verbExtensions'>, living: () => Promise<LivingExtensions>,
  signal: AbortSignal,
): ConfiguredVerb[] {
  return verbExtensions.flatMap((extension) => (extension.verbs ?? []).map((name) => ({
    name, by: `extension ${extension.name}`,
    load: async () => {
      const { extensionVerb } = await import('./extension-verb.js')
      return extensionVerb(name, extension, await living(), signal)
    },
  })))
}

/**
 * Adds verbs where their names are free: none takes the place of one that hermes has. What is added may have several
 * major versions.
 */
function addWhereFree(
  registry: VerbRegistry, verbs: readonly ConfiguredVerb[], isWanted: (verb: AnyVerb) => boolean = () => true,
): string[] {
  const added = new Set<string>()
  return verbs.flatMap(({ name, by, version, load }) => {
    try {
      if (!added.has(name) && registry.nameOf(name, true) !== undefined) return [leftOut(name, by)]
      const lazy = { name, load: async () => requireWanted(await load(), isWanted) }
      registry.registerLazy({ ...lazy, ...(version !== undefined && { version }) })
      added.add(name)
      return []
    } catch (error) {
      if (error instanceof HermesError && error.code === 'ALREADY_REGISTERED') return [leftOut(name, by)]
      throw error
    }
  })
}

function leftOut(name: string, by: string): string {
  return `${by}: its verb ${name} is left out, since there is another of that name`
}

function requireWanted(verb: AnyVerb, isWanted: (verb: AnyVerb) => boolean): AnyVerb {
  if (isWanted(verb)) return verb
  throw new HermesError('UNKNOWN_ACTION', `Unknown action: ${verb.name}`, { hint: 'Its toolset is disabled here.' })
}
