import type { AnyVerb, PromptDialect } from '../../../0-contracts/src/index.js'
import { fill, writeCall, writingOf, type CallWriting } from '../../../1-reading/src/index.js'
import {
  openAiTool, parameterDefinitions, toolName, type OpenAiTool, type ParameterDefinition,
} from '../registry/index.js'
import { oneLine } from '../registry/type-words.js'
import { AIDER, CLINE, type HarnessTeaching } from './harness-teaching.js'
import { MARKDOWN, STRICT_JSON, TOOL_CALL_PLACE, type Teaching } from './formats.js'
import { withoutRepetition } from './verb-text.js'

const RAW = [
  'The text of a parameter stands between its tags as it is: nothing is escaped, and quotes, backslashes, `<` and `&` '
    + 'are plain text.',
  'Numbers, `true` and `false` stand there as they are; lists and objects are JSON.',
]

/** How a model learns its own call format and the tools, in the way of its chat template. */
export interface DialectTeaching extends Teaching {
  /** All tools, listed as in that template. */
  tools(verbs: readonly AnyVerb[], notes: boolean): { before: string; each: string[]; between: string; after: string }
}

export function dialectTeaching(dialect: PromptDialect): DialectTeaching | HarnessTeaching {
  if (dialect === 'aider') return AIDER
  if (dialect === 'cline') return CLINE
  const writing = writingOf(dialect)
  return {
    intro: 'A call is written just as the chat template of the model has it, with the name of one tool and its '
      + 'parameters, as in the examples below.',
    rules: (root) => [
      TOOL_CALL_PLACE, ...(writing.field === undefined ? [STRICT_JSON] : RAW),
      `Relative paths start at the project, ${root}; \`..\` is not allowed.`, MARKDOWN,
    ],
    example: (verb, args, index) => writeCall(writing, toolName(verb), args, index),
    form: writeCall(writing, 'NAME', { PARAMETER: 'value' }, 0),
    tools: (verbs, notes) => listTools(writing, verbs, notes),
  }
}

function listTools(
  { tools: { open, each, parameter = '', between, close } }: CallWriting, verbs: readonly AnyVerb[], notes: boolean,
) {
  const told = notes ? (description: string) => description : withoutRepetition
  return {
    before: open, between, after: close,
    each: verbs.map((verb) => {
      const tool = forPrompt(openAiTool(notes ? verb : { ...verb, constraints: [] }), told)
      const { name, description, parameters: schema } = tool.function
      const parameters = Object.entries(parameterDefinitions(verb.args)).map(([key, definition]) => fill(parameter, {
        key, optional: definition.required ? '' : '?', type: typeWord(definition),
        ts: typeWord(definition).replace('integer', 'number'),
        description: oneLine(told(definition.description ?? '', definition.default !== undefined)),
      }))
      return fill(each, {
        tool: JSON.stringify(tool), name, description: oneLine(description), schema: JSON.stringify(schema),
        parameters: parameters.join(''),
      })
    }),
  }
}

/** A schema without what a prompt does not need: the rule on paths, which the prompt has once, and length bounds. */
function forPrompt(
  { function: { parameters, ...rest }, type }: OpenAiTool, told: (description: string, hasDefault: boolean) => string,
): OpenAiTool {
  const properties = Object.entries(parameters.properties ?? {}).map(([name, given]) => {
    const { pattern: _pattern, minLength: _least, maxLength: _most, ...schema } = given
    const { description, default: preset } = schema
    return [name, { ...schema, ...(description && { description: told(description, preset !== undefined) }) }] as const
  })
  const { additionalProperties: _, ...whole } = parameters
  return { type, function: { ...rest, parameters: { ...whole, properties: Object.fromEntries(properties) } } }
}

function typeWord({ type, values = [], items }: ParameterDefinition): string {
  if (type === 'enum') return values.map((value) => JSON.stringify(value)).join(' | ')
  return type === 'array' ? `${items ?? 'string'}[]` : type
}
