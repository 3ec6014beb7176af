import type { AnyVerb } from '../../../contracts/src/index.js'
import { unmetRequirement } from '../../../executor/src/index.js'
import { createPalette } from '../../../reports/src/index.js'
import { didYouMean, usageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { isTerminal, print, wantsColour } from '../output.js'
import { projectionOf } from '../tool-projections.js'
import { loadVerb, selectVerbs, whyNone } from '../tool-selection.js'
import { renderTool, renderToolList, type ToolStyle } from '../tool-text.js'
import { validateArguments } from '../tool-validation.js'

const ACTIONS = ['list', 'show', 'validate', 'doctor']
/** Those that take no name. */
const NAMELESS = ['list', 'doctor']
/** The flags that only some of them take. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  category: ['list'], toolset: ['list', 'doctor'], root: ['doctor'], mcp: ['list'], format: ['list', 'show'],
}

/** `hermes tools list`, `hermes tools show NAME`, `hermes tools validate NAME` and `hermes tools doctor`. */
export async function tools(args: Arguments): Promise<number> {
  const [action = '', name] = args.positionals
  if (!ACTIONS.includes(action) || NAMELESS.includes(action) !== (name === undefined)) throw wrongAction(action, name)
  checkFlags(action, args)
  if (action === 'doctor') return (await import('../tools-doctor.js')).toolsDoctor(args)
  const projection = projectionOf(args)
  const style: ToolStyle = {
    palette: createPalette(wantsColour()), columns: isTerminal('stdout') ? process.stdout.columns || 80 : undefined,
  }
  if (name === undefined) {
    const remote = args.has('mcp') ? await (await import('../mcp-tools.js')).listMcpTools() : []
    const verbs = await selectVerbs(args, remote)
    print(projection ? projection(verbs, true) : renderToolList(verbs, style, whyNone(args), reasons(verbs)))
    return EXIT.ok
  }
  const verb = /^mcp[._]/i.test(name) ? await (await import('../mcp-tools.js')).loadMcpTool(name) : await loadVerb(name)
  if (action === 'validate') return validateArguments(verb, args)
  print(projection ? projection([verb], false) : renderTool(verb, style))
  return EXIT.ok
}

/** Why verbs cannot be used here, by name. */
function reasons(verbs: readonly AnyVerb[]): Map<string, string> {
  return new Map(verbs.flatMap(verb => {
    const unmet = unmetRequirement(verb)
    return unmet ? [[verb.name, `${unmet.reason}. ${unmet.fix}`] as const] : []
  }))
}

function checkFlags(action: string, args: Arguments): void {
  for (const [flag, actions] of Object.entries(TAKEN_BY)) {
    if (args.has(flag) && !actions.includes(action)) {
      throw usageError(`tools ${action} takes no --${flag}`, `--${flag} is for tools ${actions.join(' and tools ')}.`)
    }
  }
}

function wrongAction(action: string, name: string | undefined): Error {
  const usage = 'Write hermes tools list, hermes tools show NAME, hermes tools validate NAME, or hermes tools doctor.'
  if (action === '') return usageError('tools: list, show, validate or doctor?', usage)
  if (NAMELESS.includes(action)) return usageError(`Unexpected argument: ${name ?? ''}`, usage)
  if (ACTIONS.includes(action)) {
    return usageError(`tools ${action}: no NAME given`, `${usage} hermes tools list shows all names.`)
  }
  return usageError(`Unknown subcommand: tools ${action}`, `${didYouMean(action, ACTIONS)}${usage}`)
}
