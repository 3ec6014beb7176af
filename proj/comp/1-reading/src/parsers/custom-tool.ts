/**
 * What a custom tool of OpenAI got, which is one text, as the arguments of a function call. The tool of Codex for
 * patches is named as the verb, whose text is `patch`.
 */
export function customArguments(name: string, input: unknown): Record<string, unknown> {
  return { [name === 'apply_patch' ? 'patch' : 'input']: input }
}
