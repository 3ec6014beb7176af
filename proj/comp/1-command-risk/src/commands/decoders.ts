/** Decodes Base64 to text; `undefined` where it is invalid. */
export function decodeBase64(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text.replace(/\s+/g, '')), (char) => char.charCodeAt(0)))
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** Decodes hexadecimal digits to text. */
export function decodeHex(text: string): string | undefined {
  const digits = text.replace(/^[0-9a-f]+:\s/gim, '').replace(/\\x|0x|\s+/g, '')
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return undefined
  return new TextDecoder().decode(Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)))
}

/**
 * The command `tr`.
 *
 * @param deletes remove the characters of `from`
 */
export function translate(text: string, from: string, to: string, deletes: boolean): string {
  const [source, target] = [charactersOf(from), charactersOf(to)]
  return [...text]
    .map((char) => {
      const at = source.indexOf(char)
      if (at < 0) return char
      return deletes ? '' : (target[Math.min(at, target.length - 1)] ?? char)
    })
    .join('')
}

export function rot(text: string): string {
  return translate(text, 'A-Za-z', 'N-ZA-Mn-za-m', false)
}

function charactersOf(set: string): string[] {
  const plain = set
    .replace(/\[:upper:\]/g, 'A-Z')
    .replace(/\[:lower:\]/g, 'a-z')
    .replace(/\[:space:\]/g, ' \n\t')
    .replace(/^\[(.*)\]$/s, '$1')
  return [
    ...plain.replace(/([^])-([^])/g, (whole, first: string, last: string) => {
      const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
      return to < from || to - from > 255
        ? whole
        : String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index))
    }),
  ]
}
