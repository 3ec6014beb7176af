import { getEncoding } from 'js-tiktoken'

const encoding = getEncoding('o200k_base')

/** Tokens of o200k; what looks like one of its special tokens is text. */
export function countTokens(text: string): number {
  return encoding.encode(text, [], []).length
}
