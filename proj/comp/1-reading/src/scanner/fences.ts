import { endOfRun } from './char-set.js'
import { isBlank } from './columns.js'

export interface FenceOpener {
  char: string
  /** Length of the run. */
  length: number
  /** The info string, trimmed. */
  info: string
  /** It opened behind invisible characters, which may also precede its closing line. */
  isHidden?: true
}

/** Languages whose fences may hold live SHAM/NESL blocks; the empty one is a plain fence. */
const LIVE_LANGUAGES = new Set(['', 'sh', 'bash', 'shell', 'sham', 'nesl'])
/**
 * Languages that quote prose: in them a longer run with an info string is content, not a closing fence glued to an
 * opener.
 */
const PROSE_LANGUAGES = new Set(['', 'markdown', 'md', 'text'])

/** Reads a fence opener (CommonMark 0.31.2, section 4.5) at `from`, behind the indentation. */
export function readFenceOpener(text: string, from: number, end: number): FenceOpener | undefined {
  const char = text.charAt(from)
  if (char !== '`' && char !== '~') return undefined
  const length = runLength(text, from, end)
  if (length < 3) return undefined
  const info = text.slice(from + length, end).trim()
  return char === '`' && info.includes('`') ? undefined : { char, length, info }
}

/** True for a line that closes `fence`: its character, at least its length, nothing after it. */
export function closesFence(fence: FenceOpener, text: string, from: number, end: number): boolean {
  const start = fence.isHidden ? skipInvisible(text, from, end) : from
  if (text.charAt(start) !== fence.char) return false
  const length = runLength(text, start, end)
  if (length < fence.length) return false
  for (let i = start + length; i < end; i++) if (!isBlank(text.charCodeAt(i))) return false
  return true
}

/** The opener in a closing fence glued to it (``` ``````sh sham ```), as models write it; else `undefined`. */
export function readGluedOpener(fence: FenceOpener, text: string, from: number, end: number): FenceOpener | undefined {
  if (PROSE_LANGUAGES.has(languageOf(fence.info)) || text.charAt(from) !== fence.char) return undefined
  const next = readFenceOpener(text, from, end)
  if (!next || next.info === '' || next.length < fence.length + 3) return undefined
  return { ...next, length: next.length - fence.length }
}

export function languageOf(info: string): string {
  let at = 0
  while (isLowerCase(info.charCodeAt(at))) at++
  // Fast path for the usual short lower-case word.
  return at === info.length ? info : /^\S*/.exec(info)![0].toLowerCase()
}

function isLowerCase(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

export function isLiveLanguage(info: string): boolean {
  return LIVE_LANGUAGES.has(languageOf(info))
}

/** Whether the info string has the word `hermes`. */
export function isEnvelopeFence(info: string): boolean {
  return hasWord(info, 'hermes')
}

/** Whether the info string has `hermes` only glued to punctuation: `yaml-hermes`, `{hermes}`, `hermes:`. */
export function isNearEnvelopeFence(info: string): boolean {
  return info.length > 6 && /(?:^|[^A-Za-z0-9])hermes(?:[^\w-]|-+(?:\s|$)|[-_](?:ya?ml|json)(?![\w-])|$)/i.test(info)
    && !isEnvelopeFence(info)
}

/** What nearly begins an envelope, without its indentation: `verb:`, `- verb:`, `{"verb":`. */
export const VERB_LINE = /^(?:- +)?(?:\[[ \t]*)?(?:\{[ \t]*)?["']?verb["']?[ \t]*:/

/** Whether a fence was meant to hold blocks: an envelope's, or with the word `sham` or `nesl`. */
export function isBlockFence(info: string): boolean {
  return info !== '' && (isEnvelopeFence(info) || hasWord(info, 'sham') || hasWord(info, 'nesl'))
}

function hasWord(info: string, word: string): boolean {
  if (info.length < word.length) return false
  const lower = info.toLowerCase()
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (isSpace(lower, at - 1) && isSpace(lower, at + word.length)) return true
  }
  return false
}

/** White space, or outside the text. */
function isSpace(text: string, at: number): boolean {
  return text.charAt(at).trim() === ''
}

/** Index behind white space and invisible characters (no-break, zero-width, byte order mark). */
export function skipInvisible(text: string, from: number, end: number): number {
  let at = from
  while (at < end && (isBlank(text.charCodeAt(at)) || isInvisible(text.charCodeAt(at)))) at++
  return at
}

function isInvisible(code: number): boolean {
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200d) || code === 0x202f || code === 0x2060 || code === 0x3000
    || code === 0xfeff
}

function runLength(text: string, from: number, end: number): number {
  return Math.min(end, endOfRun(text, from)) - from
}
