import { HermesError, type AnyVerb, type ParsedBlock, type Vocabulary } from '../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { orError } from './failures.js'
import type { Settings } from './settings.js'

/** Names a hint lists: those of one vocabulary; more would bury what it says. */
const MOST_NAMES = 48

/** The verbs a run may use, of the vocabulary that the block's writer most likely means first; a sentence. */
export async function namesFor(block: ParsedBlock, registry: VerbRegistry, { inToolset }: Settings): Promise<string> {
  const verbs = (await registry.loadUsable()).verbs
    .filter((verb) => verb.accessibility.includes('llm') && (inToolset?.(verb) ?? true))
  const likely = vocabularyOf(block)
  const near = verbs.filter(({ vocabulary }) => vocabulary === likely)
  const listed = (near.length > 0 ? near : verbs).slice(0, MOST_NAMES).map(({ name }) => name)
  const isAll = listed.length === verbs.length
  return `${listed.join(', ')}${isAll ? '.' : ' … (hermes tools list shows all).'}`
}

/** A verb that a hint may tell of; `undefined` where it cannot be loaded, which is not what the hint is about. */
export async function toldVerb(name: string, registry: VerbRegistry): Promise<AnyVerb | undefined> {
  const verb = await orError(() => registry.load(name))
  return verb instanceof HermesError ? undefined : verb
}

/** Only the verbs of Hermes have dots; SHAM is what clada's actions are written as, tool calls are for core tools. */
export function vocabularyOf({ action, format }: ParsedBlock): Vocabulary {
  if (action.includes('.')) return 'hermes'
  return format === 'envelope' ? 'hermes' : format === 'tool_call' ? 'core' : 'clada'
}
