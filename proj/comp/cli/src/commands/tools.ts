import { dump } from 'js-yaml'
import type { AnyVerb } from '../../../contracts/src/index.js'
import { describeVerb, selectToolsets, VerbRegistry } from '../../../registry/src/index.js'
import { createPalette } from '../../../reports/src/index.js'
import { VERBS } from '../../../verbs/src/index.js'
import { didYouMean, usageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { print, wantsColour } from '../output.js'
import { renderTool, renderToolList } from '../tool-text.js'

const ACTIONS = ['list', 'show']

/** `hermes tools list` and `hermes tools show NAME`. */
export async function tools(args: Arguments): Promise<number> {
  const [action, name] = args.positionals
  checkFormat(args)
  const palette = createPalette(wantsColour(process.stdout, process.env))
  if (action === 'list' && name === undefined) {
    const verbs = await selected(args)
    show(verbs, verbs.map(toJson), args, () => renderToolList(verbs, palette))
  } else if (action === 'show' && name !== undefined) {
    const verb = await loadVerb(name)
    show([verb], toJson(verb), args, () => renderTool(verb, palette))
  } else throw wrongAction(action, name)
  return EXIT.ok
}

function checkFormat(args: Arguments): void {
  const format = args.value('format')
  if (format === undefined) return
  if (format !== 'yaml') throw usageError(`Unknown format: ${format}`, 'Formats: yaml. --json prints JSON.')
  if (args.has('json')) throw usageError('--format and --json cannot be given together', 'Give one of them.')
}

function show(verbs: readonly AnyVerb[], json: unknown, args: Arguments, text: () => string): void {
  if (args.has('json')) print(`${JSON.stringify(json, null, 2)}\n`)
  else if (args.has('format')) {
    const described = Object.fromEntries(verbs.map(verb => [verb.name, describeVerb(verb)]))
    print(dump({ tools: described }, { lineWidth: 120, noRefs: true }))
  } else print(text())
}

function toJson(verb: AnyVerb): object {
  return { name: verb.name, ...describeVerb(verb) }
}

async function selected(args: Arguments): Promise<AnyVerb[]> {
  const all = await new VerbRegistry(VERBS).loadAll()
  const category = args.value('category')
  const categories = [...new Set(all.map(verb => verb.category))]
  if (category !== undefined && !categories.includes(category)) {
    const hint = `${didYouMean(category, categories)}Categories: ${categories.join(', ')}.`
    throw usageError(`Unknown category: ${category}`, hint)
  }
  const toolsets = args.values('toolset')
  const inToolset = toolsets.length === 0 ? () => true : selectToolsets(toolsets)
  return all.filter(verb => (category === undefined || verb.category === category) && inToolset(verb))
}

async function loadVerb(name: string): Promise<AnyVerb> {
  const registry = new VerbRegistry(VERBS)
  const verb = await registry.load(name)
  if (verb) return verb
  throw usageError(`Unknown verb: ${name}`, `${didYouMean(name, registry.names())}hermes tools list shows all verbs.`)
}

function wrongAction(action: string | undefined, name: string | undefined): Error {
  const usage = 'Write hermes tools list, or hermes tools show NAME.'
  if (action === undefined) return usageError('tools: list or show?', usage)
  if (action === 'show') return usageError('tools show: no NAME given', `${usage} hermes tools list shows all names.`)
  if (action === 'list') return usageError(`Unexpected argument: ${name ?? ''}`, usage)
  return usageError(`Unknown subcommand: tools ${action}`, `${didYouMean(action, ACTIONS)}${usage}`)
}
