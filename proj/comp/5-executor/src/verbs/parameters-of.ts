import { parameterDefinitions, VerbRegistry, type ParameterDefinitions } from '../../../1-registry/src/index.js'
import { VERBS } from './list.js'

const registry = new VerbRegistry(VERBS)

/** The parameters of a built-in verb, which mappings are held against. */
export async function parametersOf(name: string): Promise<ParameterDefinitions | undefined> {
  const verb = await registry.load(name)
  return verb && parameterDefinitions(verb.args)
}
