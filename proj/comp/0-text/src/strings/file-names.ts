import { unlessThrown } from '../../../0-contracts/src/index.js'

/**
 * File names as strings that keep every byte: a byte that is not UTF-8 becomes one of U+DC80 to U+DCFF, as with
 * Python's `surrogateescape`. Valid UTF-8 never decodes to these lone surrogates.
 */
const ESCAPED = /[\udc80-\udcff]/u
const ESCAPED_ALL = /[\udc80-\udcff]/gu
const ESCAPE_BASE = 0xdc00
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether a name holds bytes that are not UTF-8. */
export function isOddName(name: string): boolean {
  return ESCAPED.test(name)
}

export function nameOfBytes(bytes: Uint8Array): string {
  const whole = decoded(bytes)
  if (whole !== undefined) return whole
  let name = ''
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    const character = decoded(bytes.subarray(at, at + length))
    name += character ?? String.fromCharCode(ESCAPE_BASE + byte)
    at += character === undefined ? 1 : length
  }
  return name
}

/** The bytes of a name: the inverse of the decoding above. */
export function bytesOfName(name: string): Uint8Array {
  const bytes: number[] = []
  for (const character of name) {
    if (ESCAPED.test(character)) bytes.push(character.charCodeAt(0) - ESCAPE_BASE)
    else bytes.push(...new TextEncoder().encode(character))
  }
  return Uint8Array.from(bytes)
}

/** The name for people: bytes that are not UTF-8 as `\xff`. */
export function shownName(name: string): string {
  return name.replace(ESCAPED_ALL, (half) => `\\x${(half.charCodeAt(0) - ESCAPE_BASE).toString(16)}`)
}

/** The name behind the output of `shownName`, if that escaped any bytes. */
export function nameOfShown(shown: string): string {
  return shown.replace(/\\x([89a-f][\da-f])/g, (_, byte: string) => (
    String.fromCharCode(ESCAPE_BASE + Number.parseInt(byte, 16))
  ))
}

function decoded(bytes: Uint8Array): string | undefined {
  return unlessThrown(TypeError, () => STRICT.decode(bytes), undefined)
}
