import { isUtf8 } from 'node:buffer'
import { readdirSync } from 'node:fs'

const ESCAPED = /\\(?:x([0-9a-f]{2})|(n)|\\)/g

/**
 * A file name as text, unambiguously: backslashes, line feeds and bytes that are not UTF-8 are escaped (`\\`, `\n`,
 * `\xff`).
 */
export function nameText(name: Buffer): string {
  const isText = isUtf8(name)
  const text = isText ? name.toString('utf8') : name.toString('latin1')
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`)
  return isText ? escaped : escaped.replace(/[\x80-\xff]/g, (byte) => String.raw`\x${byte.charCodeAt(0).toString(16)}`)
}

/** The name that such a text stands for, as bytes. */
export function nameOf(text: string): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const match of text.matchAll(ESCAPED)) {
    const [escaped, byte, lineFeed] = match
    parts.push(Buffer.from(text.slice(at, match.index)))
    parts.push(byte !== undefined ? Buffer.from([Number.parseInt(byte, 16)])
      : Buffer.from(lineFeed === undefined ? '\\' : '\n'))
    at = match.index + escaped.length
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(at))])
}

/** The path of a directory entry, as bytes. */
export function bytePath(directory: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(directory), Buffer.from('/'), name])
}

/** The first name below a directory that is not UTF-8, escaped, with its path from there. */
export function oddName(directory: string | Buffer, below = ''): string | undefined {
  for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) {
    const path = below === '' ? nameText(entry.name) : `${below}/${nameText(entry.name)}`
    if (!isUtf8(entry.name)) return path
    const inner = entry.isDirectory() ? oddName(bytePath(directory, entry.name), path) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}
