/** What is written for line breaks and ends no line: lone CR, the separators of Unicode, `\n` in letters. */
const FALSE_BREAK = /[\r\u0085\u2028\u2029]|\\n/

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'a lone CR', '\u0085': 'U+0085', '\u2028': 'U+2028', '\u2029': 'U+2029', '\\n': 'a literal \\n',
}

/** An action's first words behind a false break, which is captured, as are the words. */
const BROKEN_OFF =
  /([\r\u0085\u2028\u2029]|\\n)[ \t]*(#!(?:sham|nesl)(?![a-z])|<tool_call>|(?:```|~~~)[^`~\r\n\\]{0,100}\bhermes\b)/gi
/** The same first on a line, in a quotation mark or as a fence. */
const BROKEN_FIRST = /^["']?(#!(?:sham|nesl)(?![a-z])|<tool_call>|(?:```|~~~)[^`~\r\n\\]{0,100}\bhermes\b)/i

export interface FalseBreak {
  /** As messages name it. */
  name: string
  /** Index of what begins behind it. */
  at: number
  /** The opener's first words. */
  opener: string
}

/** The first false break that has text behind it, by its name. */
export function falseBreakIn(line: string): { name: string; at: number } | undefined {
  const found = FALSE_BREAK.exec(line)
  return found && line.slice(found.index + found[0].length).trim() !== ''
    ? { name: NAMES[found[0]]!, at: found.index } : undefined
}

/**
 * An action that stands behind a false break, or before one at the start of the line.
 * @param isQuoted whether the text at an index is in a code span
 */
export function actionAtFalseBreak(line: string, isQuoted: (at: number) => boolean): FalseBreak | undefined {
  const first = BROKEN_FIRST.exec(line)
  const broken = first && falseBreakIn(line)
  if (broken) return { name: broken.name, at: first[0].length - first[1]!.length, opener: first[1]! }
  for (const found of line.matchAll(BROKEN_OFF)) {
    const [all, name, opener] = found as unknown as [string, string, string]
    const at = found.index + all.length - opener.length
    if (/^[`~]/.test(opener) || !isQuoted(at)) return { name: NAMES[name]!, at, opener }
  }
  return undefined
}

/** Finds lines that hold an opener's first characters at all, each searched once for the whole text. */
export class OpenerSearch {
  #text = ''
  #from = 0
  readonly #next = OPENERS.map(() => -1)

  /** Whether one stands between these places. Places must grow while the text is the same. */
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
