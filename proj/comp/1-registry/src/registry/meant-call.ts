import type { AnyVerb, BlockFormat, ParsedBlock } from '../../../0-contracts/src/index.js'
import { mendedCall, type Mends } from '../../../1-reading/src/index.js'
import { meantValue } from './meant-value.js'
import { parameterDefinitions } from './parameters.js'
import type { PathRules } from './path-format.js'
import { judgeCall, type Fault } from './validate-call.js'

/** A name mended shows what is wrong with its value. */
const MOST_ROUNDS = 3

/**
 * What to change in a call that a verb does not take, so that it does; `undefined` where one of its faults has several
 * readings, or none.
 *
 * @param verb what is called; of another name than the block's action where that is wrong
 */
export function mendsOf(verb: AnyVerb, block: ParsedBlock, rules: PathRules): Mends | undefined {
  const definitions = parameterDefinitions(verb.args)
  const format: BlockFormat = block.format
  const renames = new Map<string, string>()
  const values = new Map<string, unknown>()
  const isAction = verb.name !== block.action
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const mends = { ...(isAction && { action: verb.name }), renames, values }
    const { params } = mendedCall(block, mends)
    // What other tools of that name take as a regular expression, ours finds as it is.
    if (isAction && verb.name === 'grep' && SPECIAL.test(String(params['pattern']))) return undefined
    const judged = judgeCall(verb, format, params, rules, block.textValues)
    // What SHAM only warns of is part of what was meant: without it the call may do something else.
    if (judged.ok && judged.unknown.length === 0) return mends
    const faults = judged.ok ? judged.unknown.map(renameOf) : judged.errors
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

/** Signs of regular expressions. */
const SPECIAL = /[\\.*+?^$|()[\]{}]/

function renameOf({ name, meant }: { name: string; meant: string | undefined }): Pick<Fault, 'rename' | 'parameter'> {
  return meant === undefined ? {} : { rename: [name, meant] }
}
