/**
 * How servers say that a conversation is longer than their model accepts. They share no field for it, so these are
 * their wordings, each with who says so and where it was seen. `test-data/agent/model/overflow.cases.md` has whole
 * answers.
 */
const WORDINGS: readonly (readonly [said: RegExp, by: string])[] = [
  [/context[_ ]length[_ ]exceeded|maximum context length/i, 'OpenAI, vLLM, OpenRouter (neulab/prompt2model#353)'],
  [/exceeds the context window/i, 'OpenAI, interface Responses'],
  [/prompt is too long|prompt too long/i, 'Anthropic (entropy-research/Devon#88); Ollama'],
  [/request_too_large|input length and .?max_tokens.? exceed/i, 'Anthropic (stackblitz/bolt.new#7414)'],
  [/exceed_context_size_error|exceeds? the available context size/i, 'llama.cpp (ggml-org/llama.cpp#15780, #17284)'],
  [/context size has been exceeded/i, 'llama.cpp, while it answers (ggml-org/llama.cpp#19774)'],
  [/exceed(?:s|ed)? (?:the )?context window/i, 'llama-cpp-python (abetlen/llama-cpp-python#416)'],
  [/longer than the maximum model length|is too long to fit into the model/i, 'vLLM (xorbitsai/inference#3785)'],
  [/exceeds the (?:model's )?maximum (?:model|allowed|input|context)? ?length/i, 'vLLM, SGLang, LiteLLM'],
  [/longer than the model'?s context length/i, 'SGLang'],
  [/input token count.{0,40}exceeds the maximum/i, 'Gemini'],
  [/input is too long for (?:the )?requested model|too many input tokens/i, 'Bedrock'],
  [/(?:inputs? tokens?|`inputs`).{0,60}must (?:be|have) (?:<=|less than)/i, 'Hugging Face TGI, of `inputs` and tokens'],
  [/maximum prompt length is \d/i, 'xAI'],
  [/reduce the length of (?:the |your )?(?:messages|prompt|input)/i, 'OpenAI, Groq'],
  [/exceeded model token limit/i, 'Moonshot'],
  [/greater than the context length|exceeds the (?:model'?s )?context length/i, 'LM Studio'],
  [/context window exceeds limit|prompt token count of \d+ exceeds the limit/i, 'MiniMax; GitHub Copilot'],
  [/too many tokens(?!.{0,20}(?:wait|per|try))|token limit exceeded/i, 'others; not the limits of a time'],
]

/** Status for too large a request, by proxies or Anthropic. */
const TOO_LARGE = 413
/** Status of rate limits, which use the same words (tokens per minute) but pass. */
const TOO_OFTEN = 429

/**
 * Whether an error response says that the conversation is too long.
 *
 * @param status absent for an error within a stream
 * @param words its message, with its code and type
 */
export function saysTooLong(status: number | undefined, words: string): boolean {
  if (status === TOO_LARGE) return true
  return status !== TOO_OFTEN && WORDINGS.some(([said]) => said.test(words))
}
