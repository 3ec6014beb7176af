/** The model APIs whose saved responses hermes reads. */
export type ResponseFormat =
  'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock' | 'ollama' | 'langchain'

/** One part of a response; parts are in the order of the response. */
export type ResponsePart =
  /** Text of the assistant, read for blocks. The text pieces of one message are joined. */
  | { type: 'text'; text: string }
  /** Reasoning of the model; never read for blocks. */
  | { type: 'thought'; text: string }
  /** `arguments`: an object, or a string that should be the JSON of one. */
  | { type: 'call'; id?: string; name: string; arguments: unknown }
  | UnreadPart
  | ServedPart

/** A part that asks for an action and cannot be run; reported as a parse error. */
export interface UnreadPart {
  type: 'unread'
  id?: string
  /** Name of the tool, or of the kind of call. */
  name: string
  /** `UNCLOSED_BLOCK`: the response was cut off inside the call. */
  code: 'NOT_READ' | 'UNCLOSED_BLOCK'
  problem: string
  hint: string
  /** The part as it stands in the response; absent where the problem concerns the whole response. */
  source?: unknown
}

/** A call that the service has already run itself (web search, a program in its container): hermes does nothing. */
export interface ServedPart {
  type: 'served'
  id?: string
  /** Kind of the call, with the tool's name where it has one. */
  name: string
  /** The part as it stands in the response. */
  source: unknown
}

/** A parsed response of a model API; `readResponse` makes one from saved text. */
export interface ModelResponse {
  input: ResponseFormat
  parts: readonly ResponsePart[]
  /** The response is incomplete; while it is still being written, more may come. */
  isCutOff?: true
}
