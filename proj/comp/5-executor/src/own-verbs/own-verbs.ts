import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import type { LoadedPolicy } from '../../../2-config/src/index.js'
import type { FileMethod, LivingExtensions } from '../../../2-extensions/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { moduleVerbs, type OwnVerb } from './module-verbs.js'

/**
 * The verbs of the extensions that the user's config gives verbs: their names are known without a start.
 *
 * @param living the extensions of the session, started where one of the verbs is first used
 */
function extensionVerbs(
  { verbExtensions }: Pick<LoadedPolicy, 'verbExtensions'>, living: () => Promise<LivingExtensions>,
  signal: AbortSignal,
): OwnVerb[] {
  return verbExtensions.flatMap((extension) => (extension.verbs ?? []).map((name) => ({
    name, by: `extension ${extension.name}`,
    load: async () => {
      const { extensionVerb } = await import('./extension-verb.js')
      return extensionVerb(name, extension, await living(), signal)
    },
  })))
}

/**
 * Adds the verbs that the user's config brings: of modules, which are loaded for it, then of extensions.
 *
 * @param living see `extensionVerbs`
 * @param isWanted see `addOwnVerbs`
 * @returns a line for each that is left out
 */
export async function addConfiguredVerbs(
  registry: VerbRegistry, loaded: Pick<LoadedPolicy, 'verbExtensions' | 'verbModules'>,
  living: () => Promise<LivingExtensions>, signal: AbortSignal, isWanted?: (verb: AnyVerb) => boolean,
): Promise<string[]> {
  const { verbs, warnings } = await moduleVerbs(loaded.verbModules)
  return [...warnings, ...addOwnVerbs(registry, [...verbs, ...extensionVerbs(loaded, living, signal)], isWanted)]
}

/**
 * Adds verbs where their names are free: what is hermes' own stays what it is. Of one of the user's there may be
 * several major versions.
 *
 * @param isWanted of a verb that is loaded; another is as if it were not there
 * @returns a line for each that is left out
 */
function addOwnVerbs(
  registry: VerbRegistry, verbs: readonly OwnVerb[], isWanted: (verb: AnyVerb) => boolean = () => true,
): string[] {
  const own = new Set<string>()
  return verbs.flatMap(({ name, by, version, load }) => {
    try {
      if (!own.has(name) && registry.nameOf(name, true) !== undefined) return [taken(name, by)]
      const lazy = { name, load: async () => wanted(await load(), isWanted) }
      registry.registerLazy({ ...lazy, ...(version !== undefined && { version }) })
      own.add(name)
      return []
    } catch (error) {
      if (error instanceof HermesError && error.code === 'ALREADY_REGISTERED') return [taken(name, by)]
      throw error
    }
  })
}

function taken(name: string, by: string): string {
  return `${by}: its verb ${name} is left out, since there is another of that name`
}

function wanted(verb: AnyVerb, isWanted: (verb: AnyVerb) => boolean): AnyVerb {
  if (isWanted(verb)) return verb
  throw new HermesError('UNKNOWN_ACTION', `Unknown action: ${verb.name}`, { hint: 'Its toolset is disabled here.' })
}

/** The verbs that requests of extensions about files are, for the document of the protocol. */
export async function fileVerbs(): Promise<Readonly<Record<FileMethod, AnyVerb>>> {
  return (await import('./verb-files.js')).fileVerbs()
}
