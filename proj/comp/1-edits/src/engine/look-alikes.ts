/** Characters that models and editors use for plain ones, with the plain form. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212\u00ad]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u200b-\u200f\u2060\ufeff]/g, ''],
]

/** Quick test: false where `foldLookAlikes` changes nothing. */
export function hasLookAlikes(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /[^\u0000-\u005f\u0061-\u007f]/.test(text)
}

/** Short runs with the character before: normalizing a long row of accents takes quadratic time. */
const NOT_PLAIN = /[\u0020-\u007e]?[^\u0000-\u007f]{1,100}/gu

/** The text in NFKC, with typographic quotes, dashes and odd spaces made plain and invisible characters removed. */
export function foldLookAlikes(text: string): string {
  let folded = text.replace(NOT_PLAIN, (run) => run.normalize('NFKC'))
  for (const [pattern, plain] of PLAIN) folded = folded.replace(pattern, plain)
  return folded
}

/** `"“" (U+201C)` */
export function nameCharacter(text: string, offset: number): string {
  const code = text.codePointAt(offset)
  if (code === undefined) return 'the end'
  return `${JSON.stringify(String.fromCodePoint(code))} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}

const LOOK_ALIKE = /[\u2018-\u201f\u2010-\u2015\u2212\u00a0\u2000-\u200a\u202f\u205f\u3000]/g

/** Quick test: false where `foldUnits` changes nothing. */
export function hasLookAlikeUnits(text: string): boolean {
  return ODD.test(text)
}

const ODD = new RegExp(LOOK_ALIKE.source)

/** The text with Unicode quotes, dashes and spaces made plain, one unit for one, so that offsets stay valid. */
export function foldUnits(text: string): string {
  return text.replace(LOOK_ALIKE, plainUnit)
}

function plainUnit(unit: string): string {
  if (unit >= '\u2018' && unit <= '\u201b') return "'"
  if (unit >= '\u201c' && unit <= '\u201f') return '"'
  return (unit >= '\u2010' && unit <= '\u2015') || unit === '\u2212' ? '-' : ' '
}
