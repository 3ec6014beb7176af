import { HermesError, type AnyVerb } from '../../contracts/src/index.js'
import { nearest } from '../../text/src/index.js'

type Selector = (verb: AnyVerb) => boolean

/** Named selections of verbs. More follow with the other vocabularies. */
const TOOLSETS: Readonly<Record<string, Selector>> = {
  clada: (verb) => verb.vocabulary === 'clada',
  'read-only': (verb) => verb.type === 'read',
  edit: (verb) => verb.type === 'read' || verb.type === 'write',
}

export const TOOLSET_NAMES: readonly string[] = Object.keys(TOOLSETS)

/** True for verbs in any of the named toolsets. @throws HermesError `INVALID_OPTION` for an unknown name */
export function selectToolsets(names: readonly string[]): Selector {
  const selectors = names.map((name) => {
    const selector = Object.hasOwn(TOOLSETS, name) ? TOOLSETS[name] : undefined
    if (selector) return selector
    const meant = nearest(name, TOOLSET_NAMES)
    throw new HermesError('INVALID_OPTION', `Unknown toolset: ${name}`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Toolsets: ${TOOLSET_NAMES.join(', ')}.`,
    })
  })
  return (verb) => selectors.some((selector) => selector(verb))
}
