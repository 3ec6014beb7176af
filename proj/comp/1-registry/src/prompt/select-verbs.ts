import type { AnyVerb, PromptDialect } from '../../../0-contracts/src/index.js'
import { selectToolsets } from '../registry/index.js'
import { dialectTeaching } from './dialect-teaching.js'
import { BASICS_OF, VOCABULARY_OF, type PromptFormat } from './prompt-options.js'

/** Toolsets that say which names are meant; the others say what verbs of all vocabularies can do. */
const NAMING = ['clada', 'hermes', 'core', 'edit-formats']

/**
 * The verbs that a prompt tells of: those of the toolsets, or what a model needs first and what the user added. Of
 * toolsets such as `read-only` it takes the verbs of the format's vocabulary alone, where there are any: nobody needs
 * three names for one thing. In the dialect of a harness it tells of what that has tools for.
 *
 * @throws HermesError `INVALID_OPTION` for an unknown toolset
 */
export function selectPromptVerbs(
  verbs: readonly AnyVerb[], format: PromptFormat, toolsets: readonly string[], dialect?: PromptDialect,
): AnyVerb[] {
  const forModels = verbs.filter(({ accessibility }) => accessibility.includes('llm'))
  const own = dialect === undefined ? undefined : dialectTeaching(dialect)
  if (own && 'entry' in own) {
    const isAsked = toolsets.length === 0 ? () => true : selectToolsets(toolsets)
    return forModels.filter((verb) => own.entry(verb) !== undefined && isAsked(verb))
  }
  const usual = forModels.filter(({ vocabulary }) => vocabulary === VOCABULARY_OF[format])
  if (toolsets.length === 0) {
    const basics = forModels.filter(({ name, origin }) => BASICS_OF[format].includes(name) || origin !== undefined)
    return basics.length > 0 ? basics : usual
  }
  const isNamed = selectToolsets(toolsets)
  const named = forModels.filter(isNamed)
  const ofUsual = usual.filter(isNamed)
  return toolsets.some((name) => NAMING.includes(name)) || ofUsual.length === 0 ? named : ofUsual
}
