import { isRecord, parseJson, type AnyVerb, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { mendedCall, type Mends } from '../../../1-reading/src/index.js'
import { parameterDefinitions, type ParameterDefinition } from './parameters.js'
import { absoluteForm, type PathRules } from './path-format.js'
import { convertText } from './sham-action.js'
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

/** A value of the wrong type, form or case as it was meant, where it has one meaning; else `undefined`. */
function meantValue(value: unknown, definition: ParameterDefinition | undefined, rules: PathRules): unknown {
  if (!definition) return undefined
  const { type, format, values = [], items } = definition
  if (typeof value === 'number' || typeof value === 'boolean') return type === 'string' ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  switch (type) {
    case 'integer':
    case 'number':
    case 'boolean': {
      const converted = convertText(type === 'boolean' ? value.toLowerCase() : value, definition)
      return typeof converted === 'string' ? undefined : converted
    }
    case 'enum': {
      const like = values.filter((each) => each.toLowerCase() === value.trim().toLowerCase())
      return like.length === 1 ? like[0] : undefined
    }
    case 'array': {
      const parsed = parseJson(value)
      if (Array.isArray(parsed)) return parsed
      return items === 'string' && /^[^\s,;[\]{}"']+$/.test(value) ? [value] : undefined
    }
    case 'object': {
      const parsed = parseJson(value)
      return isRecord(parsed) ? parsed : undefined
    }
    case 'string': return format === 'absolute_path' && !/(?:^|\/)\.\.(?:\/|$)/.test(value)
      ? absoluteForm(value, rules) : undefined
  }
}
