import { fullName, type VisibleDefinition, type WantedName } from '../../../2-syntax/src/index.js'
import type { IndexView } from '../../../3-code-index/src/index.js'
import { nearest } from './match-names.js'
import { nameLikeness } from './name-likeness.js'

const MOST_SHOWN = 5
/** Names whose definitions are looked at: some are only parameters. */
const MOST_TRIED = 40

/**
 * Definitions with names like one that is not defined: those of the same name in other containers, else names whose
 * words begin with it or that differ by little. What can be used in other files comes before what is local.
 */
export function similarNames(
  view: IndexView, wanted: WantedName, elsewhere: readonly VisibleDefinition[],
): string[] {
  if (elsewhere.length > 0) return [...new Set(elsewhere.map(fullName))].slice(0, MOST_SHOWN)
  const found = nearest(view, nameLikeness(wanted.name), MOST_TRIED).flatMap(({ name }) => {
    const definitions = view.definitionsNamed(name).map(({ definition }) => definition)
    const own = definitions.filter(({ parameter }) => !parameter)
    const best = own.find(({ shared }) => shared) ?? own[0]
    return best ? [best] : []
  })
  const inOrder = [...found.filter(({ shared }) => shared), ...found.filter(({ shared }) => !shared)]
  return [...new Set(inOrder.map(fullName))].slice(0, MOST_SHOWN)
}
