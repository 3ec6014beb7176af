import { parameterDefinitions, VerbRegistry } from '../../1-registry/src/registry/index.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import type { KnownParameters } from '../src/index.js'

const registry = new VerbRegistry(VERBS)

/** Of the built-in verbs. */
export const parametersOf: KnownParameters = async (name) => {
  const verb = await registry.load(name)
  return verb && Object.keys(parameterDefinitions(verb.args))
}
