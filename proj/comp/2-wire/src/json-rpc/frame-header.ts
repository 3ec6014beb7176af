/** A parsed frame header, or what is wrong with it. */
export type Header =
  | { ok: true; length: number }
  /** `length`: bytes that may be skipped, if known despite the error. `glued`: they may contain the next header. */
  | { ok: false; message: string; length?: number; glued?: true }

const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/
/** Fifteen digits are exact as a number. */
const LENGTH = /^\d{1,15}$/
/** A header in an unexpected place. Valid JSON cannot contain it, since strings have no raw line breaks. */
const STRAY_HEADER = /^Content-Length:[ \t]*\d{1,15}\r\n/i
const STRAY_NAMES = ['Content-Length:', 'content-length:']
/** Longest stray header to recognise; more spaces do not occur in practice. */
export const STRAY_HEADER_BYTES = 48

/** @param block the header lines as Latin-1, without the empty line */
export function readHeader(block: string): Header {
  let length: number | undefined
  let charset: string | undefined
  for (const line of block.split('\r\n')) {
    const [, name, value = ''] = LINE.exec(line) ?? []
    if (name === undefined || value.includes('\n')) return { ok: false, message: badLine(line), glued: true }
    const key = name.toLowerCase()
    if (key === 'content-type') charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(value)?.[1]
    if (key !== 'content-length') continue
    if (!LENGTH.test(value.trim())) {
      return { ok: false, message: `Content-Length must be a number of bytes, not '${clip(value)}'`, glued: true }
    }
    if (length !== undefined && length !== Number(value)) {
      return { ok: false, message: 'Two different Content-Length headers' }
    }
    length = Number(value)
  }
  if (length === undefined) return { ok: false, message: 'The header has no Content-Length', glued: true }
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return { ok: false, message: `Messages are UTF-8, not ${clip(charset)}`, length }
  }
  return { ok: true, length }
}

/** What is wrong with an incomplete header; otherwise nothing would be reported while the rest does not come. */
export function badStart(text: string): string | undefined {
  const lines = text.split('\n')
  const open = lines.pop() ?? ''
  const bad = lines.find((line) => !line.endsWith('\r') || !LINE.test(line.slice(0, -1)))
  if (bad !== undefined) return badLine(bad.replace(/\r$/, ''), bad.endsWith('\r'))
  return /^[\s{["]/.test(open) && open !== '\r' ? badLine(open) : undefined
}

function badLine(line: string, endsRight = !line.includes('\n')): string {
  const [first = ''] = line.split('\n')
  if (!endsRight && (first === '' || LINE.test(first))) return 'Lines of a header must end with CR LF (\\r\\n)'
  return `A message begins with Content-Length: and the number of its bytes, not with '${clip(first)}'`
}

/** Index of a header among other bytes, or -1. */
export function findStrayHeader(bytes: Buffer): number {
  const places = STRAY_NAMES.map((name) => findNamed(bytes, name)).filter((at) => at !== -1)
  return places.length === 0 ? -1 : Math.min(...places)
}

/** Index of a header that is cut off by the end of the bytes, or -1. */
export function findCutHeader(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - STRAY_HEADER_BYTES)
  const end = bytes.toString('latin1', from)
  const at = [...end].findIndex((_, index) => isCutHeader(end.slice(index)))
  return at === -1 ? -1 : from + at
}

function isCutHeader(text: string): boolean {
  return STRAY_NAMES.some((name) => name.startsWith(text)
    || (text.startsWith(name) && /^[ \t]*(?:\d{1,15}\r?)?$/.test(text.slice(name.length))))
}

function findNamed(bytes: Buffer, name: string): number {
  for (let at = bytes.indexOf(name, 0, 'latin1'); at !== -1; at = bytes.indexOf(name, at + 1, 'latin1')) {
    if (STRAY_HEADER.test(bytes.toString('latin1', at, at + STRAY_HEADER_BYTES))) return at
  }
  return -1
}

function clip(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?')
  return printable.length > 40 ? `${printable.slice(0, 40)}…` : printable
}
