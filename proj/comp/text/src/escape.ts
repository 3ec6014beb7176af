/**
 * Makes text harmless to print: control characters, bidirectional overrides and zero-width characters become
 * visible escapes (`\x1b`, `\u202e`). Tabs stay; newlines stay only where `keepNewlines` says so.
 */
export function escapeControls(text: string, keepNewlines = false): string {
  return text.replace(UNSAFE, (char) => {
    if (char === '\n' && keepNewlines) return char
    const code = char.charCodeAt(0)
    if (char === '\n') return '\\n'
    if (char === '\r') return '\\r'
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
