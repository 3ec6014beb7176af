/** Bytes of the text as UTF-8 (seed 002); a lone surrogate counts as the three bytes of U+FFFD. */
export function getByteLength(content: string): number {
  return Buffer.byteLength(content, 'utf8')
}
