import { indentLength } from './line-parts.js'

/** A line that is a single comment; the group is its words. Only one `#`: two and more make a Markdown heading. */
const COMMENT = /^(?:\/\/+|#(?!#)|--+|;+|%+|\/\*+|\{\/\*+|<!--|\(\*)\s*(.*?)\s*(?:\*+\/\}?|-->|\*\))?$/

const DOTS = '(?:\\.{3}|\\u2026)'
const SAME = '(?:unchanged|(?:the )?same|as (?:before|is|above)|here|omitted|goes here|stays|remains|continues|follows)'
const PART = '(?:code|contents?|file|functions?|methods?|class|logic|implementation|imports?|lines?|section|body|tests?'
  + '|definitions?|properties|fields|styles|rules|options|cases?|text|document|script|page|component|module)'
const WHICH = '(?:rest|remainder|remaining|existing|previous|other|original|unchanged|more)'

const STAYS = '(?:stays?|remains?|is|are|unchanged|kept)'
const UNTOUCHED = '(?:(?:the )?same|unchanged|as (?:is|before|above|it is|they are)|untouched|intact)'

/** Words of a comment that stands for omitted code. */
const LEFT_OUT = [
  new RegExp(`^${DOTS}\\W*$`),
  new RegExp(`^${DOTS}.*\\b(?:${WHICH}|${SAME}|${PART})\\b`, 'i'),
  new RegExp(`^\\W*(?:the )?${WHICH}\\b.*\\b(?:${PART}|${SAME})\\b.*${DOTS}\\W*$`, 'i'),
  new RegExp(`^\\W*(?:the )?rest of (?:\\w+ ){0,4}${PART}(?: (?:is|are|${SAME}))*\\W*$`, 'i'),
  new RegExp(
    `^\\W*(?:existing|remaining|previous|unchanged) (?:code|contents?|implementation)(?: (?:is|${SAME}))*\\W*$`, 'i',
  ),
  new RegExp(
    `^\\W*(?:the |all )?(?:${WHICH}|others?|everything else)\\b.{0,60}\\b${STAYS}\\b.{0,20}?\\b${UNTOUCHED}\\W*$`, 'i',
  ),
  new RegExp(
    `^\\W*(?:keep|leave|preserve|retain)\\b.{0,40}\\b(?:${WHICH}|others?|everything)\\b.{0,40}\\b${UNTOUCHED}\\W*$`,
    'i',
  ),
  new RegExp(`^\\W*(?:the |all )?${WHICH} (?:\\w+ ){0,2}${PART} ${UNTOUCHED}\\W*$`, 'i'),
  new RegExp(`^\\W*(?:the )?rest (?:is |of .{0,40} )?${SAME}\\W*$`, 'i'),
  /^\W*Plandex: removed code\W*$/,
  /^\W*(?:unchanged|no changes?(?: here)?|same as (?:before|above))\W*$/i,
]

/** Omissions that are no comments. Dots alone decide nothing: `...` is valid Python, `...rest` a spread. */
const BARE = [
  /^[([{<]?(?:\.{3}|\u2026)\s*(?:the )?(?:rest of|existing|remaining|unchanged)(?: \w+)+\W*$/i,
  /^[([<](?:the )?(?:rest of (?:\w+ )+(?:unchanged|the same|omitted)|unchanged)[)\]>]$/i,
]

export interface Elision {
  /** 0-based line of the new text. */
  line: number
  /** The line, trimmed. */
  text: string
}

/** The trimmed lines of a text; computed on the first call. */
export type LineSet = () => ReadonlySet<string>

export function lineSet(text: string): LineSet {
  let lines: ReadonlySet<string> | undefined
  return () => lines ??= new Set(text.split('\n').map((line) => line.trim()))
}

/**
 * The first line of `content` that stands for omitted code (`// ... rest of code`, `# unchanged`) and is not in the
 * replaced text: writing it would delete the code it stands for.
 */
export function findElision(content: string, replaced: string | LineSet): Elision | undefined {
  const known = typeof replaced === 'string' ? lineSet(replaced) : replaced
  let line = 0
  for (const body of content.split('\n')) {
    const text = body.trim()
    if (isElision(text) && !known().has(text)) return { line, text }
    line++
  }
  return undefined
}

/**
 * Finds a line of only dots that stands for omitted code. In Python it must be followed by another line of the same
 * body, since alone it is a stub; at the end of a parameter list it is a parameter.
 */
export function findDots(content: string, replaced: LineSet, path: string): Elision | undefined {
  if (!DOTTED.test(content) || replaced().has('...') || replaced().has('\u2026')) return undefined
  const lines = content.split('\n')
  const isPython = /\.pyi?$/i.test(path)
  const line = lines.findIndex((body, index) => {
    if (!DOTTED.test(body)) return false
    const next = lines.slice(index + 1, index + 10).find((candidate) => candidate.trim() !== '') ?? ''
    return isPython ? next !== '' && indentLength(next) >= indentLength(body) : !next.trimStart().startsWith(')')
  })
  return line === -1 ? undefined : { line, text: (lines[line] ?? '').trim() }
}

const DOTTED = /^[ \t]*(?:\.\.\.|\u2026)[ \t]*\r?$/m

/** Longest line that is tested, in UTF-16 units. */
const LONGEST = 200

function isElision(text: string): boolean {
  if (text.length > LONGEST || text.length < 3) return false
  if (BARE.some((pattern) => pattern.test(text))) return true
  const words = COMMENT.exec(text)?.[1]
  return words !== undefined && LEFT_OUT.some((pattern) => pattern.test(words))
}
