import type { FilePart } from '../../../0-contracts/src/index.js'

/** A path with the part of the file it refers to. */
export interface FileReference {
  path: string
  part: FilePart
}

/** `#L10-L40` as on GitHub; `:10-40` as in compilers and editors, `:10:5` with a column. */
const LINES = new RegExp([
  String.raw`^(?<path>.+?)(?:#L(?<a>\d{1,9})(?:C\d+)?(?:-L?(?<b>\d{1,9})(?:C\d+)?)?`,
  String.raw`|:(?<c>\d{1,9})(?:-(?<d>\d{1,9})|:\d{1,9})?)$`,
].join(''), 's')
const MOST_MARKS = 10

/**
 * Reads `src/a.ts#L10-L40`, `src/a.ts:10-40`, `src/a.ts#Server.listen` and `README.md#install`.
 *
 * @returns possible readings, likeliest first, since names of files and folders may have these characters (`C#/a.cs`):
 * the first whose file exists applies; none for a plain path
 */
export function parseReference(written: string): FileReference[] {
  const files: FileReference[] = []
  const lines = LINES.exec(written)?.groups
  if (lines) {
    const { path = '', a, b, c, d } = lines
    const first = Number(a ?? c)
    const last = Number(b ?? d ?? first)
    files.push({ path, part: { kind: 'lines', first: Math.min(first, last), last: Math.max(first, last) } })
  }
  for (let at = written.indexOf('#', 1); at > 0 && files.length < MOST_MARKS; at = written.indexOf('#', at + 1)) {
    const name = written.slice(at + 1).trim()
    if (name !== '') files.push({ path: written.slice(0, at), part: { kind: 'name', name } })
  }
  return files
}

/** Key of an item in `SessionState.context`. */
export function contextKey(resolved: string, part: FilePart | undefined): string {
  if (!part) return resolved
  return `${resolved}\0${part.kind === 'lines' ? `${part.first}-${part.last}` : `#${part.name}`}`
}

/** `10-40`, or `10` for one line. */
export function lineRange([first, last]: readonly [first: number, last: number]): string {
  return first === last ? String(first) : `${first}-${last}`
}
