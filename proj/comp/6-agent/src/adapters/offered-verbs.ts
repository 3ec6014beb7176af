import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { type Hermes, usualTools } from '../../../5-executor/src/index.js'
import { selectToolsets } from '../../../1-registry/src/index.js'
import { didYouMean, usageError } from '../../../0-text/src/index.js'
import { offeredName } from './tool-names.js'

/**
 * Which verbs become tools. Default: the core tools and the verbs that you registered yourself, if the session allows
 * them; where it allows no core tool, all that it allows.
 */
export interface OfferOptions {
  /** The verbs of these toolsets. */
  toolsets?: readonly string[] | undefined
  /** Verbs by name, in addition to those of `toolsets`. */
  verbs?: readonly string[] | undefined
}

/**
 * The verbs to offer; `named`: the same under its offered name, as the projections take it.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export async function offeredVerbs(
  hermes: Hermes, options: OfferOptions,
): Promise<{ verb: AnyVerb; named: AnyVerb }[]> {
  const callable = await hermes.verbs()
  return chosen(callable, options).map((verb) => ({ verb, named: { ...verb, name: offeredName(verb.name) } }))
}

function chosen(callable: readonly AnyVerb[], { toolsets, verbs }: OfferOptions): readonly AnyVerb[] {
  if (toolsets === undefined && verbs === undefined) return usualTools(callable)
  const names = new Set(verbs)
  const inToolset = selectToolsets(toolsets ?? [])
  const offered = callable.filter((verb) => names.delete(verb.name) || inToolset(verb))
  for (const name of names) {
    const near = didYouMean(name, callable.map((verb) => verb.name))
    throw usageError(
      `No verb ${name} can be called in this session`, `${near}Look at the toolsets and the policy of the session.`,
    )
  }
  return offered
}
