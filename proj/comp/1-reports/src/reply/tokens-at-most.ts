/**
 * Upper bound of a text's tokens in the o200k vocabulary, without loading that (megabytes); other current vocabularies
 * are similar. For prose and code it is about 1.5 times the real count, for Chinese twice.
 */
export function tokensAtMost(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECE)) tokens += tokensOf(piece)
  return tokens
}

/** Splits text as tokenizers do: numbers, words, signs, blanks. Non-ASCII characters are separate. */
const PIECE = new RegExp([
  String.raw`\d+(?![A-Za-z])`, String.raw`[A-Za-z]*\d[A-Za-z\d]*`, ' ?[A-Z]?[a-z]+', ' ?[A-Z]+',
  String.raw`[\r\n]+`, String.raw`[\t ]+(?=[\t ]\d|\t[^\sA-Za-z])|[\t ]+`, ' ?[!-/:-@[-`{-~]+',
  String.raw`[^\x00-\x7f]+`, String.raw`[\x00-\x1f\x7f]`,
].join('|'), 'g')

function tokensOf(piece: string): number {
  const { length } = piece
  if (/^\d+$/.test(piece)) return Math.ceil(length / 3)
  if (/^[^\x00-\x7f]/.test(piece)) return tokensOfScripts(piece)
  if (/^(?:\n+| +|\t+)$/.test(piece)) return Math.ceil(length / 16)
  if (/^(?:\r\n)+$/.test(piece)) return Math.ceil(length / 8)
  if (/^\s+$/.test(piece)) return length
  const word = piece.trimStart()
  return /^[A-Za-z]?[a-z]+$/.test(word) ? tokensOfWord(word) : Math.ceil(word.length / 1.35)
}

/** Frequent letter pairs in words; text with few of them is no word, and takes more tokens. */
const PAIRS = new Set([
  'abcdgilmnprsty', 'baeloru', 'caehiklortu', 'daeios', 'eacdefglmnpqrstvx', 'faefiou', 'gehinsu', 'haeio',
  'iabcdefglmnoprstvz', 'keis', 'ladeilostuy', 'maeimops', 'nacdefgikostuv', 'obcdfklmnoprstuvw', 'paeiloprtu', 'qu',
  'racdegikmnorstuy', 'sacehiopstuy', 'tacehiorstuy', 'ueilmnprst', 'vaei', 'waehior', 'xt', 'yp', 'ze',
].flatMap(([letter, ...next]) => next.map((each) => `${letter}${each}`)))

/** Measured: nearly all words in prose and code stay within this bound, unlike random letters. */
function tokensOfWord(word: string): number {
  const letters = word.toLowerCase()
  let rare = 0
  for (let at = 1; at < letters.length; at++) if (!PAIRS.has(letters.slice(at - 1, at + 1))) rare++
  return Math.ceil((letters.length + 3 * rare) / 5)
}

function tokensOfScripts(piece: string): number {
  let tokens = 0
  for (const char of piece) tokens += tokensOfChar(char.codePointAt(0) ?? 0)
  return Math.ceil(tokens)
}

/** Tokens of a character by code point range, for arbitrary sequences of characters of that script. */
const SCRIPTS: readonly (readonly [end: number, tokens: number])[] = [
  // Latin, Greek, Cyrillic, Hebrew and Arabic, with rarer letters.
  [0x100, 1.25], [0x180, 1.75], [0x370, 2], [0x400, 1.75], [0x460, 1.25], [0x530, 2], [0x590, 1.25], [0x5d0, 2],
  [0x650, 1.25], [0x900, 2],
  // Scripts of India, Thailand, Laos, Tibet, Burma and Georgia.
  [0xe00, 2], [0xe80, 1.5], [0xf00, 2.25], [0x1000, 2.5], [0x1100, 2], [0x1780, 3], [0x1800, 2], [0x1e00, 3],
  // Vietnamese, symbols, box drawing.
  [0x1f00, 2.25], [0x2000, 2.5], [0x20c0, 2], [0x2300, 2.1], [0x2460, 3], [0x2600, 2], [0x27c0, 2.25], [0x3000, 3],
  // Japanese, Chinese, Korean, compatibility forms.
  [0x3040, 2], [0x3100, 1.5], [0x4e00, 3], [0x9fc0, 2], [0xac00, 3], [0xd800, 2.3], [0xff00, 3], [0xfff0, 2],
  [0x10000, 3], [0x1f000, 4], [0x20000, 3],
]

function tokensOfChar(code: number): number {
  return SCRIPTS.find(([end]) => code < end)?.[1] ?? 4
}
