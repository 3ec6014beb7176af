/** Tokens of a model's context window, where nothing is known of it. */
export const DEFAULT_WINDOW = 128_000

/** By beginnings of names, without who hosts them; the first that fits. As their makers' pages had it in 2025. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^(?:gpt-4o|gpt-4-turbo|chatgpt-4o|gpt-oss)/, 128_000],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5/, 16_385],
  [/^o[134](?:-|$)/, 200_000],
  [/^gemini-(?:1\.5|2|3)/, 1_048_576],
  [/^grok-4/, 256_000],
  [/^(?:grok|deepseek|kimi|llama-?3\.[123]|qwen-?3|mistral-(?:large|medium|small)|glm-4)/, 128_000],
  [/^(?:qwen-?2|mistral|mixtral|codestral)/, 32_768],
  [/^(?:llama-?3|gemma-?2)/, 8192],
]

/** Of a model by its name (`anthropic/claude-sonnet-4`, `llama3.1:8b`); `undefined` where it tells nothing. */
export function knownWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return WINDOWS.find(([known]) => known.test(name))?.[1]
}
