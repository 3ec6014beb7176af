import type { Hermes } from '../../../5-executor/src/index.js'
import { argsJsonSchema, openAiTool } from '../../../1-registry/src/index.js'
import type { ToolAnswer } from './answers.js'
import { CallBatch } from './call-batch.js'
import { named, offeredVerbs, type OfferOptions } from './offered-verbs.js'
import { checkDataBounds, type DataBounds } from './call-options.js'

/**
 * A schema as Standard Schema and Standard JSON Schema have it (standardschema.dev), which the AI SDK takes: no package
 * of its own is needed for that. It lets everything pass, since hermes checks arguments itself, with hints.
 */
export interface InputSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** A value of JSON, as the AI SDK names it. */
export type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

/** A tool of the AI SDK. */
export interface AiSdkTool {
  description: string
  inputSchema: InputSchema
  /**
   * Never rejects for what the model wrote. Calls of one response have the same list of messages, and become one run.
   */
  execute: (input: unknown, options: {
    toolCallId: string
    abortSignal?: AbortSignal | undefined
    messages?: readonly unknown[] | undefined
  }) => Promise<ToolAnswer>
  /** Failures are told as such. */
  toModelOutput: (options: { output: ToolAnswer }) => { type: 'json' | 'error-json'; value: JsonValue }
}

/**
 * The tools of `generateText` and `streamText`. The calls of one response become one run of the session.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export async function aiSdkTools(
  hermes: Hermes, options: OfferOptions & DataBounds = {},
): Promise<Record<string, AiSdkTool>> {
  checkDataBounds(options)
  const { callTokens, maxDataLength } = options
  const batch = new CallBatch(hermes, { callTokens, maxDataLength })
  const offered = await offeredVerbs(hermes, options)
  return Object.fromEntries(offered.map((each) => {
    const { description } = openAiTool(named(each)).function
    const tool: AiSdkTool = {
      description,
      inputSchema: inputSchema(() => argsJsonSchema(each.verb)),
      execute: (input, { toolCallId, abortSignal, messages }) => (
        batch.add({ id: toolCallId, name: each.verb.name, arguments: input }, { signal: abortSignal, messages })
      ),
      toModelOutput: ({ output }) => (
        { type: output.success ? 'json' : 'error-json', value: { ...output } as JsonValue }
      ),
    }
    return [each.name, tool]
  }))
}

/** @param json made anew for each caller: the AI SDK writes into it */
function inputSchema(json: () => Record<string, unknown>): InputSchema {
  const schema = () => {
    const { $schema: _, ...rest } = json()
    return rest
  }
  return {
    '~standard': {
      version: 1, vendor: 'hermes', validate: (value) => ({ value }), jsonSchema: { input: schema, output: schema },
    },
  }
}
