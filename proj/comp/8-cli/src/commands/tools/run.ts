import type { AnyVerb } from '../../../../0-contracts/src/index.js'
import {
  unmetIn, argumentErrors, exampleOf, loadExactVerb, loadVerb, projectionOf, selectVerbs, whyNone,
} from '../../../../5-executor/src/index.js'
import type { CallError } from '../../../../1-registry/src/index.js'
import { createPalette } from '../../../../1-reports/src/index.js'
import { renderTool, renderToolList, type ToolStyle } from '../../../../7-output/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { asTyped, EXIT, isTerminal, print, printFound, printRaw, wantsColour } from '../../io/output.js'
import { readInput } from '../../io/read-input.js'
import { allVerbs, whileOpen } from '../../setup/all-verbs.js'
import { requireOwnFlags, unknownSubcommand } from '../../subcommand.js'

const ACTIONS = ['list', 'show', 'validate', 'doctor']
/** Actions that take no name. */
const NAMELESS = ['list', 'doctor']
/** Flags that only some of the actions take. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  category: ['list'], toolset: ['list', 'doctor'], root: ['doctor'], mcp: ['list'], format: ['list', 'show'],
}

/** `hermes tools list`, `hermes tools show NAME`, `hermes tools validate NAME` and `hermes tools doctor`. */
export async function tools(args: Arguments): Promise<number> {
  const [action = '', name] = args.positionals
  if (!ACTIONS.includes(action) || NAMELESS.includes(action) !== (name === undefined)) throw wrongAction(action, name)
  requireOwnFlags('tools', action, args, TAKEN_BY, ' and tools ')
  if (action === 'doctor') return (await import('./toolsets.js')).toolsDoctor(args)
  const projection = projectionOf(args.value('format'), args.has('json'))
  const style: ToolStyle = {
    palette: createPalette(wantsColour()), columns: isTerminal('stdout') ? process.stdout.columns || 80 : undefined,
  }
  if (name === undefined) {
    const remote = args.has('mcp') ? await (await import('./mcp-tools.js')).listMcpTools() : []
    const choice = { category: args.value('category'), toolsets: args.values('toolset') }
    const verbs = selectVerbs(await allVerbs(process.cwd()), choice, remote)
    if (projection) printRaw(projection(verbs, true))
    else print(asTyped(renderToolList(verbs, style, whyNone(choice), await reasons(verbs))))
    return EXIT.ok
  }
  const verb = /^mcp[._]/i.test(name) ? await (await import('./mcp-tools.js')).loadMcpTool(name)
    : await whileOpen(process.cwd(), async ({ registry }) => (
      // The exact name, since a call by another spelling would be unknown.
      action === 'validate' ? loadExactVerb(registry, name) : loadVerb(registry, name)
    ))
  if (action === 'validate') return validateArguments(verb, args)
  if (projection) printRaw(projection([verb], false))
  else print(renderTool(verb, style, (await reasons([verb])).get(verb.name)))
  return EXIT.ok
}

/** `hermes tools validate NAME`: checks arguments from standard input against the verb's schema; runs nothing. */
async function validateArguments(verb: AnyVerb, args: Arguments): Promise<number> {
  if (isTerminal('stdin')) {
    const hint = `Pipe them in: echo '${exampleOf(verb)}' | hermes tools validate ${verb.name}`
    throw usageError('No arguments given, and standard input is a terminal', hint)
  }
  const errors = argumentErrors(verb, await readInput('tools validate', '-'))
  const valid = errors.length === 0
  return printFound(args, { valid, errors }, () => (
    valid ? 'valid\n' : errors.map(describe).join('')), valid ? EXIT.ok : EXIT.failed)
}

function describe({ code, message, hint }: CallError): string {
  const help = hint === undefined ? '' : `  hint: ${escapeControls(hint)}\n`
  return `${code}  ${escapeControls(message)}\n${help}`
}

/** Why verbs cannot be used here, by name. */
async function reasons(verbs: readonly AnyVerb[]): Promise<Map<string, string>> {
  const unmetOf = await unmetIn(process.cwd())
  return new Map(verbs.flatMap(verb => {
    const unmet = unmetOf(verb)
    return unmet ? [[verb.name, `${unmet.reason}. ${unmet.fix}`] as const] : []
  }))
}

function wrongAction(action: string, name: string | undefined): Error {
  const usage = 'Write hermes tools list, hermes tools show NAME, hermes tools validate NAME, or hermes tools doctor.'
  if (action === '') return usageError('tools: list, show, validate or doctor?', usage)
  if (NAMELESS.includes(action)) return usageError(`Unexpected argument: ${name ?? ''}`, usage)
  if (ACTIONS.includes(action)) {
    return usageError(`tools ${action}: no NAME given`, `${usage} hermes tools list shows all names.`)
  }
  return unknownSubcommand('tools', action, ACTIONS, usage)
}
