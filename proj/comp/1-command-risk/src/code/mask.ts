import { ANY } from '../shell/taint.js'
import type { CodeLanguage } from './code-languages.js'

/** Code with its strings replaced by placeholders: `⟨0⟩` is the first. */
export interface MaskedCode {
  code: string
  strings: readonly string[]
}

const OPEN = '\ue010'
const CLOSE = '\ue011'
/** Regular expression source for a placeholder; its group is the number. */
export const STRING = `${OPEN}(?<string>\\d+)${CLOSE}`

interface Quoting {
  comments: RegExp
  /** Sticky pattern for the start of a string, with groups `prefix` and `quote`. */
  strings: RegExp
  /** Pattern for concatenation of strings. */
  joins: RegExp
  /** Parts of a string that are filled in when the code runs, where they do not look as a shell's variables do. */
  filled?: RegExp
}

const HASH = /(?<!\$)#[^\n]*/y
const QUOTINGS: Readonly<Record<CodeLanguage, Quoting>> = {
  python: {
    comments: HASH, strings: /(?<prefix>[rRbBuUfF]{0,2})(?<quote>'''|"""|'|")/y, joins: /^\s*\+?\s*$/,
    filled: /\{[^{}]*\}/g,
  },
  javascript: {
    comments: /\/\/[^\n]*|\/\*[^]*?\*\//y, strings: /(?<prefix>)(?<quote>'|"|`)/y, joins: /^\s*\+\s*$/,
    filled: /\$\{[^}]*\}/g,
  },
  ruby: {
    comments: HASH,
    strings: /(?<prefix>(?:%[qQwWxi]?(?=[([{|!]))?)(?<quote>'|"|`|(?<=%[qQwWxi]?)[([{|!])/y,
    joins: /^\s*(?:\+|<<)?\s*$/,
    filled: /#\{[^}]*\}/g,
  },
  powershell: { comments: HASH, strings: /(?<prefix>)(?<quote>'|")/y, joins: /^\s*\+\s*$/ },
  other: { comments: HASH, strings: /(?<prefix>)(?<quote>'|"|`)/y, joins: /^\s*\.{1,2}\s*$/ },
}
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Masks comments and strings; concatenated literals become one. */
export function mask(text: string, lang: CodeLanguage): MaskedCode {
  const { comments, strings: opens, joins } = QUOTINGS[lang]
  const strings: string[] = []
  const pieces: string[] = []
  let code = ''
  for (let at = 0; at < text.length;) {
    comments.lastIndex = at
    const comment = comments.exec(text)
    if (comment) {
      at += comment[0].length
      continue
    }
    opens.lastIndex = at
    const open = /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at] ?? '') ? null : opens.exec(text)
    const quote = open?.groups?.['quote']
    if (!open || quote === undefined) {
      code += text[at++]
      continue
    }
    const prefix = open.groups?.['prefix'] ?? ''
    const from = at + open[0].length
    const closer = CLOSERS[quote] ?? quote
    const end = endOf(text, from, closer, lang === 'python' && quote.length === 1)
    const value = valueOf(text.slice(from, end), quote, prefix, lang)
    at = Math.min(text.length, end + closer.length)
    // A command in backticks is a call by itself.
    if ((quote === '`' && lang !== 'javascript') || prefix === '%x')
      pieces.push(code, `\`${OPEN}${strings.push(value) - 1}${CLOSE}`)
    else if (pieces.at(-1)?.startsWith(OPEN) && joins.test(code)) {
      strings[strings.length - 1] += value
      code = ''
      continue
    } else pieces.push(code, `${OPEN}${strings.push(value) - 1}${CLOSE}`)
    code = ''
  }
  return { code: pieces.join('') + code, strings }
}

function endOf(text: string, from: number, closer: string, isOneLine: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(closer, at) || (isOneLine && text[at] === '\n')) return at
  }
  return text.length
}

/** The value of a string literal; interpolated parts are unknown. */
function valueOf(raw: string, quote: string, prefix: string, lang: CodeLanguage): string {
  const isRaw = lang === 'python' ? /r/i.test(prefix) : quote === "'" && lang !== 'javascript'
  const plain = isRaw
    ? raw.replace(/\\(['\\])/g, '$1')
    : raw.replace(/\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{1,3})|(.))/gs, unescape)
  const isFilled = lang === 'python' ? /f/i.test(prefix) : lang === 'javascript' ? quote === '`' : quote !== "'"
  const { filled } = QUOTINGS[lang]
  return filled && isFilled ? plain.replace(filled, ANY) : plain
}

function unescape(whole: string, hex?: string, unicode?: string, octal?: string, plain?: string): string {
  if (hex ?? unicode) return String.fromCodePoint(Math.min(parseInt(hex ?? unicode ?? '', 16), 0x10_ff_ff))
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff)
  const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }
  return plain === undefined ? whole : (known[plain] ?? plain)
}
