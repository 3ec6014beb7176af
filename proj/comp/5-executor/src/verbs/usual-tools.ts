import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { VERBS } from './list.js'

const BUILT_IN = new Set(VERBS.map(({ name }) => name))

/**
 * What models are offered as functions where nobody chose: the core tools and the verbs of others, since those of the
 * other vocabularies do the same by other names; where none of them can be called, all that can.
 */
export function usualTools(callable: readonly AnyVerb[]): readonly AnyVerb[] {
  const usual = callable.filter(({ name, vocabulary }) => vocabulary === 'core' || !BUILT_IN.has(name))
  return usual.length > 0 ? usual : callable
}
