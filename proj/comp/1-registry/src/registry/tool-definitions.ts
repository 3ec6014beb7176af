import { HermesError, type AccessClass, type AnyVerb } from '../../../0-contracts/src/index.js'
import { argsJsonSchema, resultJsonSchema, withoutDialect, type JsonSchema } from './json-schema.js'
import { wrapperOf } from './verb-result.js'

/** An entry of `tools` in OpenAI's chat completions. */
export interface OpenAiTool {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

/** An entry of `tools` in Anthropic's messages. */
export interface AnthropicTool {
  name: string
  description: string
  /** An object schema, as for every verb. */
  input_schema: JsonSchema & { type: 'object'; required?: string[] }
}

/** A tool of the Model Context Protocol (2025-06-18 and later). */
export interface McpTool {
  name: string
  description: string
  inputSchema: JsonSchema
  /** An object schema: a list is in `items`, any other non-object in `value`. */
  outputSchema: JsonSchema
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
}

/** Names accepted by both function calling APIs. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** Longest description that some OpenAI models accept, in characters. */
const OPENAI_DESCRIPTION = 1024
/** Longest description of core tools, in characters. */
const CORE_DESCRIPTION = 499

/**
 * Name of a verb for function calling, without dots: `fs.writeFile` becomes `fs_writeFile`. Unique in a registry, which
 * finds the verb by it.
 */
export function toolName(name: string): string {
  return name.replaceAll('.', '_')
}

/** A verb as a tool of OpenAI's chat completions. @throws HermesError `INVALID_OPTION` when a name is too long */
export function openAiTool(verb: AnyVerb): OpenAiTool {
  return {
    type: 'function',
    function: {
      name: checkedName(verb),
      description: described(verb, OPENAI_DESCRIPTION),
      parameters: withoutDialect(argsJsonSchema(verb)),
    },
  }
}

/** A verb as a tool of Anthropic's messages. @throws HermesError `INVALID_OPTION` when a name is too long */
export function anthropicTool(verb: AnyVerb): AnthropicTool {
  return {
    name: checkedName(verb),
    description: described(verb, Infinity),
    input_schema: withoutDialect(argsJsonSchema(verb)) as AnthropicTool['input_schema'],
  }
}

/** Names keep their dots, which the protocol allows. */
export function mcpTool(verb: AnyVerb): McpTool {
  return {
    name: verb.name,
    description: described(verb, Infinity),
    inputSchema: withoutDialect(argsJsonSchema(verb)),
    outputSchema: outputSchema(verb),
    annotations: HINTS[verb.type],
  }
}

/** Hints that hold for every verb of an access class; the cautious value where they differ. */
const HINTS: Readonly<Record<AccessClass, McpTool['annotations']>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  exec: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  dynamic: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  git: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  meta: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
}

function checkedName(verb: AnyVerb): string {
  const name = toolName(verb.name)
  if (NAME.test(name)) return name
  throw new HermesError('INVALID_OPTION', `${verb.name} has no name for function calling`, {
    hint: 'Give the verb a name of 1 to 64 letters, digits, _, - and dots.',
  })
}

/** The description, followed by as many complete rules as there is room for. */
function described({ vocabulary, description, constraints }: AnyVerb, most: number): string {
  const room = vocabulary === 'core' ? Math.min(most, CORE_DESCRIPTION) : most
  let text = description
  for (const rule of constraints) {
    const longer = `${text}\n- ${rule}`
    if ([...longer].length <= room) text = longer
  }
  return text
}

/** The schema of a result: one that is no object becomes the only property of one. */
export function outputSchema(verb: AnyVerb): JsonSchema {
  const schema = withoutDialect(resultJsonSchema(verb))
  const wrapper = wrapperOf(verb)
  if (wrapper === undefined) return schema
  const { $defs, ...plain } = schema
  return {
    type: 'object', properties: { [wrapper]: plain }, required: [wrapper], additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  }
}
