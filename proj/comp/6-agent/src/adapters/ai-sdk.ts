import type { FunctionCall, Hermes } from '../../../5-executor/src/index.js'
import { argsJsonSchema, openAiTool } from '../../../1-registry/src/index.js'
import { answerCalls, type ToolAnswer } from './answers.js'
import { offeredVerbs, type OfferOptions } from './offered-verbs.js'
import { checkDataBounds, type CallOptions } from './call-options.js'

/**
 * A schema in the form of Standard Schema and Standard JSON Schema (standardschema.dev), which the AI SDK accepts
 * without a package of its own. It lets everything pass, since hermes checks arguments itself, with hints.
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

/** A JSON value, typed as in the AI SDK. */
export type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

/** A tool of the AI SDK. */
export interface AiSdkTool {
  description: string
  inputSchema: InputSchema
  /**
   * Never rejects because of what the model wrote. Calls of one response share the same list of messages, and become
   * one run.
   */
  execute: (input: unknown, options: {
    toolCallId: string
    abortSignal?: AbortSignal | undefined
    messages?: readonly unknown[] | undefined
  }) => Promise<ToolAnswer>
  /** Marks failures as errors to the model. */
  toModelOutput: (options: { output: ToolAnswer }) => { type: 'json' | 'error-json'; value: JsonValue }
}

/**
 * The tools of `generateText` and `streamText`. The calls of one response become one run of the session.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export async function aiSdkTools(
  hermes: Hermes, options: OfferOptions & Omit<CallOptions, 'signal' | 'except'> = {},
): Promise<Record<string, AiSdkTool>> {
  checkDataBounds(options)
  const { callTokens, maxDataLength, onResult } = options
  const batch = new CallBatch(hermes, { callTokens, maxDataLength, onResult })
  const offered = await offeredVerbs(hermes, options)
  return Object.fromEntries(offered.map(({ verb, named }) => {
    const { description } = openAiTool(named).function
    const tool: AiSdkTool = {
      description,
      inputSchema: inputSchema(() => argsJsonSchema(verb)),
      execute: (input, { toolCallId, abortSignal, messages }) => (
        batch.add({ id: toolCallId, name: verb.name, arguments: input }, { signal: abortSignal, messages })
      ),
      toModelOutput: ({ output }) => (
        { type: output.success ? 'json' : 'error-json', value: { ...output } as JsonValue }
      ),
    }
    return [named.name, tool]
  }))
}

/** @param json makes a new object for each caller, since the AI SDK writes into it */
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

/** What the calls of one response share, and calls of other responses do not. */
interface ResponseContext {
  signal: AbortSignal | undefined
  /** Compared by identity: the same array, not an equal one. */
  messages: readonly unknown[] | undefined
}

interface Waiting extends ResponseContext {
  call: FunctionCall
  resolve: (answer: ToolAnswer) => void
  reject: (error: unknown) => void
}

/**
 * Groups calls that arrive in one turn of the event loop into one run: a harness starts all calls of a response at
 * once.
 */
class CallBatch {
  #waiting: Waiting[] = []

  /** @param bounds limits of the answers, and the callback for results */
  constructor(private readonly hermes: Hermes, private readonly bounds: Omit<CallOptions, 'signal' | 'except'>) {}

  /** Adds a call; resolves to its answer when the run has ended. */
  add(call: FunctionCall, { signal, messages }: ResponseContext): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ call, signal, messages, resolve, reject }) === 1) setImmediate(() => this.#start())
    })
  }

  #start(): void {
    let waiting = this.#waiting
    this.#waiting = []
    // Conversations do not share a run, since a run is cancelled and undone as a whole.
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const { signal, messages } = first
      const isOfIt = (each: Waiting): boolean => each.signal === signal && each.messages === messages
      void this.#run(waiting.filter(isOfIt), signal)
      waiting = waiting.filter((each) => !isOfIt(each))
    }
  }

  async #run(batch: readonly Waiting[], signal: AbortSignal | undefined): Promise<void> {
    try {
      const calls = batch.map(({ call }) => call)
      const answers = await answerCalls(this.hermes, calls, { ...this.bounds, signal })
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
