import { dump } from 'js-yaml'
import type { AnyVerb } from '../../contracts/src/index.js'
import {
  anthropicTool, argsJsonSchema, describeVerb, mcpTool, openAiTool, renderIdl, resultJsonSchema,
} from '../../registry/src/index.js'
import { printableJson } from '../../text/src/index.js'
import { oneOf, usageError, type Arguments } from './arguments.js'

/** One document for all selected verbs, or for the one that is shown. */
type Projection = (verbs: readonly AnyVerb[], isList: boolean) => string

const PROJECTIONS: Readonly<Record<string, Projection>> = {
  idl: verbs => renderIdl(verbs),
  'json-schema': (verbs, isList) => json(isList
    ? Object.fromEntries(verbs.map(verb => [verb.name, schemas(verb)]))
    : schemas(verbs[0]!)),
  openai: each(openAiTool),
  anthropic: each(anthropicTool),
  mcp: each(mcpTool),
  yaml: verbs => dump(
    { tools: Object.fromEntries(verbs.map(verb => [verb.name, describeVerb(verb)])) }, { lineWidth: 120, noRefs: true },
  ),
}
const FORMATS = Object.keys(PROJECTIONS)
const NOT_JSON = ['idl', 'yaml']

/** What `--format` or `--json` asks for; `undefined` is the text for people. @throws HermesError for wrong usage */
export function projectionOf(args: Arguments): Projection | undefined {
  const format = args.value('format')
  if (format === undefined) return args.has('json') ? each(describeNamed) : undefined
  const projection = PROJECTIONS[oneOf('format', format, FORMATS)]
  if (args.has('json') && NOT_JSON.includes(format)) {
    const hint = `Leave out one of them; all formats but ${NOT_JSON.join(' and ')} are JSON anyway.`
    throw usageError(`--format ${format} is not JSON, which --json asks for`, hint)
  }
  return projection
}

function describeNamed(verb: AnyVerb): object {
  return { name: verb.name, ...describeVerb(verb) }
}

function schemas(verb: AnyVerb): object {
  return { arguments: argsJsonSchema(verb), result: resultJsonSchema(verb) }
}

/** A list of all, or the one alone. */
function each(describe: (verb: AnyVerb) => object): Projection {
  return (verbs, isList) => json(isList ? verbs.map(describe) : describe(verbs[0]!))
}

function json(value: unknown): string {
  return `${printableJson(value)}\n`
}
