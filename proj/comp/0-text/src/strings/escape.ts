import { shownName } from './file-names.js'

/**
 * Characters that change what a terminal or a reader sees without being seen: controls (C0, C1, delete), line and
 * paragraph separators, bidirectional marks and overrides, and all that is drawn as nothing (zero-width characters,
 * fillers, soft hyphens, annotations, tags). Variation selectors stay: emoji have them.
 */
const UNSAFE =
  new RegExp('[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5'
  + '\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb'
  + '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', 'gu')

/** Most text has none of them: this tells soonest. The ellipsis stands in many hints. */
const PLAIN = /^[\t\x20-\x7e\u2026]*$/

/**
 * Makes text harmless to print: such characters become visible escapes (`\x1b`, `\u202e`, `\u{e0041}`). Tabs stay;
 * newlines stay only where `keepNewlines` says so. Bytes of file names that are not UTF-8 become `\xff`, too.
 */
export function escapeControls(text: string, keepNewlines = false): string {
  if (PLAIN.test(text)) return text
  return shownName(text).replace(UNSAFE, (char) => {
    if (char === '\n' && keepNewlines) return char
    const code = char.codePointAt(0) ?? 0
    if (char === '\n') return '\\n'
    if (char === '\r') return '\\r'
    if (code > 0xffff) return `\\u{${code.toString(16)}}`
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/**
 * A value as JSON that is harmless to print: the same value, with such characters as JSON's own escapes.
 *
 * @param indent spaces of each level; 0 makes one line
 */
export function printableJson(value: unknown, indent = 2): string {
  // Outside of strings JSON.stringify makes no such character but the line breaks between them.
  return JSON.stringify(value, null, indent).replace(UNSAFE, (char) => (
    char === '\n' ? char
      : char.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  ))
}
