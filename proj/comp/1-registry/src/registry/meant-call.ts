import type { AnyVerb, ParsedBlock } from '../../../0-contracts/src/index.js'
import { mendedCall, type Mends } from '../../../1-reading/src/index.js'
import { meantValue } from './meant-value.js'
import { parameterDefinitions } from './parameters.js'
import type { PathRules } from './path-format.js'
import { judgeCall, type Fault } from './validate-call.js'

/** Most rounds: correcting a name may expose a wrong value. */
const MOST_ROUNDS = 3

/**
 * Changes that make a call acceptable to a verb; `undefined` where an error has no single correction.
 *
 * @param verb to call; its name differs from the block's action if that is wrong
 */
export function mendsOf(verb: AnyVerb, block: ParsedBlock, rules: PathRules): Mends | undefined {
  const definitions = parameterDefinitions(verb.args)
  const renames = new Map<string, string>()
  const values = new Map<string, unknown>()
  const isAction = verb.name !== block.action
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const mends = { ...(isAction && { action: verb.name }), renames, values }
    const { params } = mendedCall(block, mends)
    // Other tools' `grep` takes regular expressions, clada's a literal text.
    if (isAction && verb.name === 'grep' && SPECIAL.test(String(params['pattern']))) return undefined
    const judged = judgeCall(verb, block.format, params, rules, block.textValues)
    // An unknown SHAM parameter only causes a warning, but without it the call may do something else.
    if (judged.ok && judged.unknown.length === 0) return mends
    const faults: readonly Pick<Fault, 'rename' | 'parameter'>[] = judged.ok
      ? judged.unknown.map(({ name, meant }) => (meant === undefined ? {} : { rename: [name, meant] })) : judged.errors
    for (const { rename, parameter } of faults) {
      if (rename) {
        const [from, to] = rename
        if ((renames.get(from) ?? to) !== to || [...renames].some(([name, meant]) => meant === to && name !== from)) {
          return undefined
        }
        renames.set(from, to)
      } else {
        const meant = parameter === undefined ? undefined : meantValue(params[parameter], definitions[parameter], rules)
        if (parameter === undefined || meant === undefined) return undefined
        values.set([...renames].find(([, to]) => to === parameter)?.[0] ?? parameter, meant)
      }
    }
  }
  return undefined
}

/** Special characters of regular expressions. */
const SPECIAL = /[\\.*+?^$|()[\]{}]/
