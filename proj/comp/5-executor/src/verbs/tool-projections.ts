import { dump } from 'js-yaml'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import {
  anthropicTool, argsJsonSchema, describeVerb, mcpTool, openAiTool, renderIdl, resultJsonSchema,
} from '../../../1-registry/src/index.js'
import { oneOf, printableJson, usageError } from '../../../0-text/src/index.js'

/** Prints all selected verbs, or the one shown, as one document. */
export type Projection = (verbs: readonly AnyVerb[], isList: boolean) => string

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

/**
 * The projection of a format (default: JSON with `isJson`); `undefined` for the text for people. @throws HermesError
 * for wrong usage
 */
export function projectionOf(format: string | undefined, isJson: boolean): Projection | undefined {
  if (format === undefined) return isJson ? each(verb => ({ name: verb.name, ...describeVerb(verb) })) : undefined
  const projection = PROJECTIONS[oneOf('format', format, FORMATS)]
  if (isJson && NOT_JSON.includes(format)) {
    const hint = `Leave out one of them; all formats but ${NOT_JSON.join(' and ')} are JSON anyway.`
    throw usageError(`--format ${format} is not JSON, which --json asks for`, hint)
  }
  return projection
}

function schemas(verb: AnyVerb): object {
  return { arguments: argsJsonSchema(verb), result: resultJsonSchema(verb) }
}

/** A list for all verbs, or a single object for the one shown. */
function each(describe: (verb: AnyVerb) => object): Projection {
  return (verbs, isList) => json(isList ? verbs.map(describe) : describe(verbs[0]!))
}

function json(value: unknown): string {
  return `${printableJson(value)}\n`
}
