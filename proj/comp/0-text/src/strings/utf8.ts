/** The longest start of `text` that takes at most `maxBytes` bytes of UTF-8; never cuts a surrogate pair. */
export function clipUtf8(text: string, maxBytes: number): string {
  // No character takes more than three bytes per UTF-16 unit.
  if (text.length * 3 <= maxBytes) return text
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isPair = code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (bytes > maxBytes) return text.slice(0, i)
    if (isPair) i++
  }
  return text
}

/**
 * How many bytes of UTF-8 a text takes, without `Buffer`, since it runs in the browser playground too; half a surrogate
 * pair takes the three of U+FFFD.
 */
export function utf8Length(text: string): number {
  // A character takes one byte for each of its UTF-16 units, and those added here.
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    const isPair = code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    bytes += code < 0x800 ? 1 : 2
    if (isPair) i++
  }
  return bytes
}
