/** A piece of a line that looks the same throughout. */
export interface Span {
  text: string
  strong?: true
  italic?: true
  code?: true
  /** An address behind the text of a link. */
  address?: true
}

type Look = Omit<Span, 'text'>

/** Between marks of emphasis: no blanks at its ends, and nothing that a pattern of files begins with. */
const EMPHASIS = /(?<![a-zA-Z0-9_*\\])(\*{1,3})(?=[^\s*/.,;:)\]}|])([^]*?[^\s*\\])\1(?![*\w])/uy
const CODE = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/y
const LINK = /(?<![\w\]!])\[([^[\]]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)/y
const ESCAPED = /\\([!-/:-@[-`{-~])/y
/** What may begin one of these. */
const SIGNS = /[`*[\\]/g

/**
 * The pieces of a line of Markdown: emphasis by stars, code, links, escapes. What is not plainly one of them stays as
 * it was written (`2*3*4`, `*.ts`, `__init__`): a mark too many is read over, a missing character is not.
 */
export function inlineSpans(text: string, look: Look = {}): Span[] {
  const spans: Span[] = []
  let plain = ''
  let at = 0
  const add = (...more: Span[]): void => {
    if (plain !== '') spans.push({ text: plain, ...look })
    plain = ''
    spans.push(...more)
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    SIGNS.lastIndex = at
    const next = SIGNS.exec(text)?.index ?? text.length
    plain += text.slice(at, next)
    at = next
    if (at === text.length) break
    const [code, emphasis, link, escaped] = [match(CODE), match(EMPHASIS), match(LINK), match(ESCAPED)]
    if (code) add({ text: (code[2] ?? '').replace(/^ (.*[^ ].*) $/, '$1'), ...look, code: true })
    else if (emphasis) add(...inlineSpans(emphasis[2] ?? '', { ...look, ...emphasized(emphasis[1] ?? '') }))
    else if (link) add(...linkSpans(link[1] ?? '', link[2] ?? '', look))
    else if (escaped) plain += escaped[1] ?? ''
    else {
      const run = /^(?:`+|\*+|.)/s.exec(text.slice(at))?.[0] ?? ''
      plain += run
      at += run.length
      continue
    }
    at += (code ?? emphasis ?? link ?? escaped)?.[0].length ?? 1
  }
  add()
  return spans
}

function emphasized({ length }: string): Look {
  return { ...(length > 1 && { strong: true as const }), ...(length !== 2 && { italic: true as const }) }
}

function linkSpans(text: string, address: string, look: Look): Span[] {
  const spans = inlineSpans(text, look)
  return text === address ? spans : [...spans, { text: ` (${address})`, ...look, address: true }]
}
