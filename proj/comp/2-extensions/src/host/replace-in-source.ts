import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import type { CallChange } from './block-change.js'

/** So many places are tried: the text is read anew for each. */
const MOST_PLACES = 12

/**
 * A call in a wire format of models with its name, or a text that it says, replaced where that stands as it is or as
 * JSON has it.
 */
export function* replacedInSource(
  source: string, { action, params }: ParsedBlock, change: CallChange,
): Generator<string> {
  if (change.kind === 'remove') return
  const [old, wanted] = change.kind === 'rename' ? [action, change.action]
    : [params[change.parameter], change.value]
  if (typeof old !== 'string' || typeof wanted !== 'string' || old === '') return
  const forms = [[JSON.stringify(old), JSON.stringify(wanted)], [old, wanted]] as const
  let tried = 0
  for (const [from, to] of forms) {
    for (let at = source.indexOf(from); at !== -1 && tried < MOST_PLACES; at = source.indexOf(from, at + 1)) {
      tried++
      yield source.slice(0, at) + to + source.slice(at + from.length)
    }
  }
}
