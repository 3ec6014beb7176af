import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import type { Hermes } from '../../../5-executor/src/index.js'
import { selectToolsets } from '../../../1-registry/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { usualTools } from '../../../5-executor/src/index.js'
import { offeredName } from './tool-names.js'

/**
 * Which verbs become tools. Default: the core tools and the verbs you registered yourself, as far as the session allows
 * them; where it allows no core tool, all that it allows.
 */
export interface OfferOptions {
  /** The verbs of these toolsets. */
  toolsets?: readonly string[] | undefined
  /** These verbs, by name; besides those of `toolsets`. */
  verbs?: readonly string[] | undefined
}

/** A verb, and the name that a call of it has. */
export interface Offered {
  name: string
  verb: AnyVerb
}

/** The verbs to offer. @throws HermesError `INVALID_OPTION` */
export async function offeredVerbs(hermes: Hermes, options: OfferOptions): Promise<Offered[]> {
  const callable = await hermes.verbs()
  return chosen(callable, options).map((verb) => ({ name: offeredName(verb.name), verb }))
}

/** A verb as the projections take it: with a name that fits. */
export function named({ name, verb }: Offered): AnyVerb {
  return { ...verb, name }
}

function chosen(callable: readonly AnyVerb[], { toolsets, verbs }: OfferOptions): readonly AnyVerb[] {
  if (toolsets === undefined && verbs === undefined) return usualTools(callable)
  const names = new Set(verbs)
  const inToolset = selectToolsets(toolsets ?? [])
  const found = callable.filter((verb) => names.delete(verb.name) || inToolset(verb))
  for (const name of names) {
    const meant = nearest(name, callable.map((verb) => verb.name))
    throw new HermesError('INVALID_OPTION', `No verb ${name} can be called in this session`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Look at the toolsets and the policy of `
        + 'the session.',
    })
  }
  return found
}
