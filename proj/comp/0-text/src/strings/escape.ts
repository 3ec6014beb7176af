import { shownName } from './file-names.js'
import { isNeeded } from './joiners.js'

/**
 * Characters that change what a terminal or reader sees while staying invisible: controls (C0, C1, delete), line and
 * paragraph separators, bidirectional marks and overrides, and whatever is drawn as nothing (zero-width characters,
 * fillers, soft hyphens, annotations, tags). Variation selectors are allowed: emoji use them.
 */
const UNSAFE = '[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5'
  + '\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb'
  + '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]'
const UNSAFE_ALL = new RegExp(UNSAFE, 'gu')
/** Flags of England, Scotland and Wales: a black flag followed by tag characters. */
const FLAG = `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tags).join('|')})\\u{e007f}`
const UNSAFE_OR_FLAG = new RegExp(`${FLAG}|${UNSAFE}`, 'gu')

/** Fast path: most text holds no other characters. The ellipsis is in many hints. */
const PLAIN = /^[\t\x20-\x7e\u2026]*$/

/**
 * Makes text safe to print: unsafe characters become visible escapes (`\x1b`, `\u202e`, `\u{e0041}`). Tabs stay;
 * newlines stay only with `keepNewlines`; joiners stay where a script or an emoji needs them. Bytes of file names that
 * are not UTF-8 become `\xff`.
 */
export function escapeControls(text: string, keepNewlines = false): string {
  if (PLAIN.test(text)) return text
  return shownName(text).replace(UNSAFE_OR_FLAG, (char, at: number, all: string) => {
    if ((char === '\n' && keepNewlines) || char.length > 2 || isNeeded(char, at, all)) return char
    const code = char.codePointAt(0) ?? 0
    if (char === '\n') return '\\n'
    if (char === '\r') return '\\r'
    if (code > 0xffff) return `\\u{${code.toString(16)}}`
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** A foreign line made safe for a terminal, with each tab as four spaces. */
export function printable(line: string): string {
  return escapeControls(line).replaceAll('\t', '    ')
}

/**
 * JSON that is safe to print: it parses to the same value, with unsafe characters as JSON escapes.
 *
 * @param indent spaces for each level; 0 makes one line
 */
export function printableJson(value: unknown, indent = 2): string {
  // Outside strings, JSON.stringify makes no unsafe character except line breaks.
  return JSON.stringify(value, null, indent).replace(UNSAFE_ALL, (char) => (
    char === '\n' ? char
      : char.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  ))
}

function tags(word: string): string {
  return [...word].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
}
