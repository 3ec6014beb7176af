/**
 * Characters that models write for line breaks but that end no line: lone CR, Unicode separators, a literal `
 * `.
 */
const FALSE_BREAK = /[\r\u0085\u2028\u2029]|\\n/

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'a lone CR', '\u0085': 'U+0085', '\u2028': 'U+2028', '\u2029': 'U+2029', '\\n': 'a literal \\n',
}

/** First words of an action behind a false break; both are captured. */
const BROKEN_OFF =
  /([\r\u0085\u2028\u2029]|\\n)[ \t]*(#!(?:sham|nesl)(?![a-z])|<tool_call>|(?:```|~~~)[^`~\r\n\\]{0,100}\bhermes\b)/gi
/** The same at the start of a line, optionally in a quotation mark. */
const BROKEN_FIRST = /^["']?(#!(?:sham|nesl)(?![a-z])|<tool_call>|(?:```|~~~)[^`~\r\n\\]{0,100}\bhermes\b)/i

export interface FalseBreak {
  /** Name of the break in messages. */
  name: string
  /** Index behind it. */
  at: number
  /** First words of the opener. */
  opener: string
}

/** The first false break with text behind it. */
export function falseBreakIn(line: string): { name: string; at: number } | undefined {
  const match = FALSE_BREAK.exec(line)
  return match && line.slice(match.index + match[0].length).trim() !== ''
    ? { name: NAMES[match[0]]!, at: match.index } : undefined
}

/**
 * An action behind a false break, or before one at the start of the line.
 *
 * @param isQuoted whether an index lies in a code span
 */
export function actionAtFalseBreak(line: string, isQuoted: (at: number) => boolean): FalseBreak | undefined {
  const first = BROKEN_FIRST.exec(line)
  const broken = first && falseBreakIn(line)
  if (broken) return { name: broken.name, at: first[0].length - first[1]!.length, opener: first[1]! }
  for (const match of line.matchAll(BROKEN_OFF)) {
    const [all, name, opener] = match as unknown as [string, string, string]
    const at = match.index + all.length - opener.length
    if (/^[`~]/.test(opener) || !isQuoted(at)) return { name: NAMES[name]!, at, opener }
  }
  return undefined
}

/** Quick test for lines with the first characters of an opener; searches each part of a text once. */
export class OpenerSearch {
  #text = ''
  #from = 0
  readonly #next = OPENERS.map(() => -1)

  /** Whether such characters stand between two offsets, which must ascend for the same text. */
  isIn(text: string, from: number, to: number): boolean {
    if (text !== this.#text || from < this.#from) this.#next.fill(-1)
    this.#text = text
    this.#from = from
    return OPENERS.some((opener, index) => {
      if (this.#next[index]! < from) {
        const at = text.indexOf(opener, from)
        this.#next[index] = at < 0 ? text.length : at
      }
      return this.#next[index]! < to
    })
  }
}

const OPENERS = ['#!', '```', '~~~', '<tool_call>']
