/** The interfaces of models whose saved responses are read. */
export type ResponseFormat =
  'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock' | 'ollama' | 'langchain'

/** One thing that a response holds, in its order. */
export type ResponsePart =
  /** Of the assistant, read for blocks. What one message says in several pieces is one text. */
  | { type: 'text'; text: string }
  /** Never read for blocks. */
  | { type: 'thought'; text: string }
  /** `arguments`: an object, or the text that should be the JSON of one. */
  | { type: 'call'; id?: string; name: string; arguments: unknown }
  | UnreadPart
  | ServedPart

/** Something that asks for an action and is not run; it is told as a parse error. */
export interface UnreadPart {
  type: 'unread'
  id?: string
  /** Of the tool, or of the kind of call. */
  name: string
  /** `UNCLOSED_BLOCK`: the response broke off in it. */
  code: 'NOT_READ' | 'UNCLOSED_BLOCK'
  problem: string
  hint: string
  /** As it stands in the response; absent where it is about the response as a whole. */
  source?: unknown
}

/** A call that the service has run itself (web search, a program in its container): nothing is left to do for it. */
export interface ServedPart {
  type: 'served'
  id?: string
  /** Of the kind of call, with its tool where it has one. */
  name: string
  /** As it stands in the response. */
  source: unknown
}

/** A response of a model, as its interface gives it: `readResponse` makes one of a saved text. */
export interface ModelResponse {
  input: ResponseFormat
  parts: readonly ResponsePart[]
  /** It breaks off before its end: where it is still written, more may come. */
  isCutOff?: true
}
