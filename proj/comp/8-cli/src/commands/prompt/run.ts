import { resolve } from 'node:path'
import { PROMPT_DIALECTS, type PromptDialect } from '../../../../0-contracts/src/index.js'
import { enabledVerbs, workRootOf } from '../../../../5-executor/src/index.js'
import { ESTIMATE, PROMPT_FORMATS, selectPromptVerbs, writePrompt } from '../../../../1-registry/src/index.js'
import { renderPromptSizes } from '../../../../7-output/src/index.js'
import { oneOf, usageError, type Arguments } from '../../arguments.js'
import { EXIT, print, printError, printJson, printRaw, wantsColour } from '../../io/output.js'
import { existingRoot } from '../../setup/existing-root.js'
import { allVerbs } from '../../setup/all-verbs.js'

/** `hermes prompt`: the part of a system prompt that teaches a model to write blocks. */
export async function promptCommand(args: Arguments): Promise<number> {
  if (args.has('json') && args.has('sizes')) {
    throw usageError('--json and --sizes cannot be given together', '--json has the sizes too.')
  }
  const dialect = dialectOf(args)
  const format = dialect === undefined
    ? oneOf('format', (args.value('format') ?? 'sham').replaceAll('-', '_'), PROMPT_FORMATS) : 'tool_call'
  const root = existingRoot(args)
  const all = await enabledVerbs(await allVerbs(root), root)
  const toolsets = args.values('toolset')
  const verbs = selectPromptVerbs(all, format, toolsets, dialect)
  if (verbs.length === 0) {
    throw usageError(
      'There is nothing to tell of: the policy, or --toolset, leaves no verb',
      'See hermes config show, and hermes tools list --toolset NAME.',
    )
  }
  const prompt = writePrompt({
    format, dialect, verbs, root: placeOf(args) ?? await workRootOf(root), relativePaths: args.has('relative-paths'),
    short: args.has('short'), notes: toolsets.length > 0,
  })
  const { text, size } = prompt
  if (args.has('json')) {
    const { characters, tokens } = size
    printJson({
      ...(dialect === undefined ? { format } : { dialect }), text, characters, tokens, tokensAre: ESTIMATE,
      sections: prompt.sections, verbs: prompt.verbs,
    })
    return EXIT.ok
  }
  if (args.has('sizes')) print(renderPromptSizes(prompt, { colour: wantsColour(), estimate: ESTIMATE }))
  else {
    printRaw(text)
    printError(`hermes: about ${size.tokens.toLocaleString('en-US')} tokens (${ESTIMATE})\n`)
  }
  return EXIT.ok
}

function dialectOf(args: Arguments): PromptDialect | undefined {
  const written = args.value('dialect')
  if (written === undefined) return undefined
  if (args.has('format')) {
    throw usageError('--format and --dialect cannot be given together', 'Each says how calls are written: choose one.')
  }
  return oneOf('dialect', written, PROMPT_DIALECTS)
}

/** The alias in the form that the prompt uses. */
function placeOf(args: Arguments): string | undefined {
  const alias = args.value('root-alias')
  if (alias === undefined) return undefined
  if (resolve(alias) === alias || alias.startsWith('/')) return alias
  throw usageError(`--root-alias is not an absolute path: ${alias}`, 'Write it as blocks do, e.g. /workspace.')
}
