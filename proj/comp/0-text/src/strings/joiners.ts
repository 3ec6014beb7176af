/** Scripts whose letters join or stack: there ZWNJ and ZWJ say how a word is written (UAX 31, IDNA's CONTEXTJ). */
const JOINING = any(
  'Adlam', 'Arabic', 'Balinese', 'Bengali', 'Brahmi', 'Chakma', 'Devanagari', 'Grantha', 'Gujarati', 'Gurmukhi',
  'Hanifi_Rohingya', 'Javanese', 'Kaithi', 'Kannada', 'Khmer', 'Malayalam', 'Mandaic', 'Manichaean', 'Mongolian',
  'Myanmar', 'Newa', 'Nko', 'Oriya', 'Phags_Pa', 'Psalter_Pahlavi', 'Sharada', 'Siddham', 'Sinhala', 'Sogdian',
  'Syriac', 'Takri', 'Tamil', 'Telugu', 'Tibetan', 'Tirhuta',
)
/** Scripts without spaces: a zero-width one tells where a word ends. */
const UNSPACED = any('Khmer', 'Lao', 'Myanmar', 'Thai', 'Tibetan')

/** What must stand before and behind a character, so that it is part of how the text is written. */
interface Place {
  chars: string
  before: RegExp
  after: RegExp
}

const PLACES: readonly Place[] = [
  // One of the two is enough: Persian puts endings to words in Latin letters.
  { chars: '\u200c\u200d', before: pattern(`${JOINING}\\p{M}*$`), after: /^[\p{L}\p{M}]/u },
  { chars: '\u200c\u200d', before: /[\p{L}\p{M}\p{N}]$/u, after: pattern(`^${JOINING}`) },
  // The virama's form at the end of a word.
  { chars: '\u200c\u200d', before: pattern(`(?=\\p{M})${JOINING}$`), after: /^/ },
  {
    chars: '\u200d', before: /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*$/u,
    after: /^\p{Extended_Pictographic}/u,
  },
  { chars: '\u180b\u180c\u180d\u180e\u180f', before: /\p{Script=Mongolian}$/u, after: /^/ },
  { chars: '\u200b', before: pattern(`${UNSPACED}$`), after: pattern(`^${UNSPACED}`) },
]
/** Code units that are looked at before it: a letter or an emoji, with marks. */
const LONGEST_BEFORE = 16

/** Whether a character that is drawn as nothing is part of how the text around it is written. */
export function isNeeded(char: string, at: number, text: string): boolean {
  return PLACES.some(({ chars, before, after }) => chars.includes(char)
    && before.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at))
    && after.test(text.slice(at + char.length, at + char.length + 2)))
}

function any(...scripts: string[]): string {
  return `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'u')
}
