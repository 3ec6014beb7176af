/** A run of letters, marks and digits, underscores in between included. */
const WORD = /[\p{L}\p{M}\p{N}_]+/gu

/** `IDs`; `HTTP` before `Response`; `Response`; digits; letters without case. */
const PART = new RegExp([
  String.raw`[\p{Lu}\p{Lt}]{2,}s(?![\p{Ll}\p{M}])`, String.raw`[\p{Lu}\p{Lt}]+(?![\p{Ll}\p{M}])`,
  String.raw`[\p{Lu}\p{Lt}]?[\p{Ll}\p{M}]+`, String.raw`\p{N}+`, String.raw`[\p{Lo}\p{Lm}\p{M}]+`,
].join('|'), 'gu')

/** The words of a text, identifiers whole, in order. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(WORD) ?? []
}

/**
 * The parts of an identifier, as written: `parseHTTPResponse2` is `parse`, `HTTP`, `Response`, `2`. Together they hold
 * every letter and digit of it, in order; only underscores are left out.
 */
export function splitWord(word: string): string[] {
  return word.match(PART) ?? []
}
