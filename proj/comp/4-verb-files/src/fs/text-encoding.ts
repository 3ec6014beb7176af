import { isAscii, isUtf8 } from 'node:buffer'
import { HermesError } from '../../../0-contracts/src/index.js'

/** Encodings of the core tools that read and write. UTF-16 has a byte order mark, which is not part of the text. */
export const ENCODINGS = ['utf-8', 'ascii', 'utf-16'] as const
export type TextEncoding = (typeof ENCODINGS)[number]
export type Utf16Order = 'little' | 'big'

const MARKS: Readonly<Record<Utf16Order, readonly [number, number]>> = { little: [0xff, 0xfe], big: [0xfe, 0xff] }

/**
 * Decodes a file's bytes without loss: a UTF-8 byte order mark stays as U+FEFF.
 *
 * @throws HermesError `NOT_TEXT` for bytes that are not in the encoding
 */
export function decodeText(path: string, bytes: Uint8Array, encoding: TextEncoding): string {
  const text = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding)
  if (text !== undefined) return text
  const name = encoding === 'ascii' ? 'ASCII' : encoding.toUpperCase()
  throw new HermesError('NOT_TEXT', `File is not ${name} text: ${path}`, { hint: otherEncoding(bytes, encoding) })
}

function decode(bytes: Buffer, encoding: TextEncoding): string | undefined {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined
  if (encoding === 'ascii') return isAscii(bytes) ? bytes.toString('latin1') : undefined
  if (bytes.length === 0) return ''
  const order = utf16Order(bytes)
  if (order === undefined || bytes.length % 2 === 1) return undefined
  return decodeUnits(bytes.subarray(2), order)
}

/** @returns `undefined` for unpaired surrogates */
export function decodeUnits(units: Buffer, order: Utf16Order): string | undefined {
  const text = (order === 'little' ? units : Buffer.from(units).swap16()).toString('utf16le')
  return text.isWellFormed() ? text : undefined
}

/** Byte order by the byte order mark; `undefined` where there is none. */
export function utf16Order(bytes: Uint8Array): Utf16Order | undefined {
  return (['little', 'big'] as const).find((order) => MARKS[order].every((byte, index) => bytes[index] === byte))
}

function otherEncoding(bytes: Uint8Array, encoding: TextEncoding): string {
  if (encoding !== 'utf-16' && utf16Order(bytes)) return 'It begins like UTF-16: write encoding: "utf-16".'
  if (encoding !== 'utf-8' && isUtf8(bytes)) return 'It is UTF-8: leave encoding out.'
  return bytes.subarray(0, 8192).includes(0)
    ? 'It looks like a binary file. Use a command that knows its format.'
    : 'It is in another encoding. Convert it with a command, e.g. iconv -f ISO-8859-1 -t UTF-8.'
}

/**
 * @param order byte order for UTF-16
 * @throws HermesError `INVALID_PARAMETER` for characters that ASCII does not have
 */
export function encodeText(
  verb: string, content: string, encoding: TextEncoding, order: Utf16Order = 'little',
): string | Uint8Array {
  if (encoding === 'utf-8') return content
  if (encoding === 'ascii') return encodeAscii(verb, content)
  const units = Buffer.from(content, 'utf16le')
  return Buffer.concat([Uint8Array.from(MARKS[order]), order === 'little' ? units : units.swap16()])
}

function encodeAscii(verb: string, content: string): string {
  const at = content.search(/[^\0-\x7f]/)
  if (at === -1) return content
  const char = String.fromCodePoint(content.codePointAt(at) ?? 0)
  const number = (content.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const line = content.slice(0, at).split('\n').length
  throw new HermesError(
    'INVALID_PARAMETER', `${verb}: content is not ASCII: '${char}' (U+${number}) in line ${line}`,
    { hint: 'Write it in ASCII characters, or leave encoding out to write UTF-8.' },
  )
}
