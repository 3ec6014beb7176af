/** Scripts whose letters join or stack: ZWNJ and ZWJ are part of the spelling there (UAX 31, IDNA's CONTEXTJ). */
const JOINING = any(
  'Adlam', 'Arabic', 'Balinese', 'Bengali', 'Brahmi', 'Chakma', 'Devanagari', 'Grantha', 'Gujarati', 'Gurmukhi',
  'Hanifi_Rohingya', 'Javanese', 'Kaithi', 'Kannada', 'Khmer', 'Malayalam', 'Mandaic', 'Manichaean', 'Mongolian',
  'Myanmar', 'Newa', 'Nko', 'Oriya', 'Phags_Pa', 'Psalter_Pahlavi', 'Sharada', 'Siddham', 'Sinhala', 'Sogdian',
  'Syriac', 'Takri', 'Tamil', 'Telugu', 'Tibetan', 'Tirhuta',
)
/** Scripts without spaces, where a zero-width space marks the end of a word. */
const UNSPACED = any('Khmer', 'Lao', 'Myanmar', 'Thai', 'Tibetan')

let known: readonly { chars: string; before: RegExp; after: RegExp }[] | undefined

/**
 * The context before and after an invisible character in which it is part of how the text is written. Made at first
 * use: expressions over so many scripts take milliseconds.
 */
const contexts = (): NonNullable<typeof known> => known ??= [
  // A joining script on one side is enough: Persian adds its endings to words in Latin letters.
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
/** UTF-16 units to look at before the character: enough for a letter or an emoji with its marks. */
const LONGEST_BEFORE = 16

/** Whether an invisible character belongs to the spelling of the text around it. */
export function isNeeded(char: string, at: number, text: string): boolean {
  return contexts().some(({ chars, before, after }) => chars.includes(char)
    && before.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at))
    && after.test(text.slice(at + char.length, at + char.length + 2)))
}

function any(...scripts: string[]): string {
  return `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'u')
}
