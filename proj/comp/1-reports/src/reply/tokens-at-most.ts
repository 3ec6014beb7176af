/**
 * How many tokens a text has at most, in the vocabularies of today's models, without any of these: they are megabytes,
 * and differ. Of prose and code it is some one and a half times what o200k counts; random letters alone may have more.
 */
export function tokensAtMost(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECE)) tokens += tokensOf(piece)
  return tokens
}

/** As tokenizers cut before they count: numbers, words, signs, blanks. What is not ASCII stands by itself. */
const PIECE = new RegExp([
  String.raw`\d+(?![A-Za-z])`, String.raw`[A-Za-z]*\d[A-Za-z\d]*`, ' ?[A-Z]?[a-z]+', ' ?[A-Z]+', String.raw`[\r\n]+`,
  String.raw`[^\S\r\n]+`, ' ?[!-/:-@[-`{-~]+', String.raw`[^\x00-\x7f]+`, String.raw`[\x00-\x1f\x7f]`,
].join('|'), 'g')

function tokensOf(piece: string): number {
  const { length } = piece
  if (/^\d+$/.test(piece)) return Math.ceil(length / 3)
  if (/^[^\x00-\x7f]/.test(piece)) return tokensOfScripts(piece)
  if (/^\s+$/.test(piece)) return Math.ceil(length / 16)
  const word = piece.trimStart()
  // Short words are tokens of their own; keys, hashes and base64 are none.
  const isWord = /[aeiouy]/.test(word) && /^[A-Za-z]?[a-z]+$/.test(word) && length <= LONGEST_WORD
  return Math.ceil(word.length / (isWord ? 5 : 1.35))
}

const LONGEST_WORD = 24

function tokensOfScripts(piece: string): number {
  let tokens = 0
  for (const char of piece) tokens += tokensOfChar(char.codePointAt(0) ?? 0)
  return Math.ceil(tokens)
}

/** At most as many as it has bytes; of scripts that many write, fewer. */
function tokensOfChar(code: number): number {
  if (code < 0x300 || (code >= 0x370 && code < 0x800)) return 1
  if (code >= 0x3000 && code < 0xd800) return 1.5
  if (code < 0x10000) return 2
  return code >= 0x1f000 && code < 0x20000 ? 3 : 4
}
