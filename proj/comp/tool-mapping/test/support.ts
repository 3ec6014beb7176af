import { parameterDefinitions, VerbRegistry } from '../../registry/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import type { KnownParameters } from '../src/index.js'

const registry = new VerbRegistry(VERBS)

/** Of the built-in verbs. */
export const parametersOf: KnownParameters = async (name) => {
  const verb = await registry.load(name)
  return verb && Object.keys(parameterDefinitions(verb.args))
}
