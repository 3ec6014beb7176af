/** Directory prefixes of diffs that are no part of a path, those of `diff.mnemonicPrefix` included. */
const SIDES = new Set(['a', 'b', 'c', 'i', 'o', 'w'])

/** A file name from a header line; `absent`: that side does not exist (`/dev/null`, or a timestamp of 1970). */
export interface HeaderName {
  name: string
  absent: boolean
}

/** The name after `--- ` or `+++ `: a C string in double quotes, or all text up to a tab, which timestamps follow. */
export function headerName(written: string): HeaderName {
  const quoted = written.startsWith('"') ? unquoted(written) : undefined
  const [plain = '', ...rest] = written.replace(/\r$/, '').split('\t')
  const name = quoted?.text ?? plain.replace(TIMESTAMP, '').trimEnd()
  const stamp = quoted === undefined ? rest.join('\t') || plain : written.slice(quoted.length)
  return { name, absent: name === '/dev/null' || EPOCH.test(stamp) }
}

/** The timestamp 0, which `diff -N` writes for a missing file. */
const EPOCH = /(?:^|\s)(?:1969-12-31|1970-01-01) \d\d:\d\d(?::\d\d)?(?:\.0+)?(?: [-+]\d{4})?\s*$/
const TIMESTAMP = / +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d{4})?$/

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92,
}

/**
 * A name in double quotes as git writes it: C escapes, octal for the bytes of UTF-8.
 *
 * @returns `undefined` where the quotes do not close; `length` counts the quotes too
 */
export function unquoted(written: string): { text: string; length: number } | undefined {
  const end = /^"(?:[^"\\]|\\.)*"/.exec(written)?.[0].length
  if (end === undefined) return undefined
  const bytes: number[] = []
  for (const [part, octal, escaped] of written.slice(1, end - 1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else if (escaped !== undefined) bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return { text: new TextDecoder().decode(Uint8Array.from(bytes)), length: end }
}

/** The two names of a `diff --git` line; `undefined` where it is unclear where the first ends. */
export function gitNames(written: string): [string, string] | undefined {
  const line = written.replace(/\r$/, '')
  if (line.startsWith('"')) {
    const first = unquoted(line)
    if (first === undefined) return undefined
    const rest = line.slice(first.length).trimStart()
    return [first.text, rest.startsWith('"') ? unquoted(rest)?.text ?? rest : rest]
  }
  const quote = line.indexOf(' "')
  if (quote !== -1) return [line.slice(0, quote), unquoted(line.slice(quote + 1))?.text ?? '']
  const parts = line.split(' ')
  if (parts.length === 2) return [parts[0] ?? '', parts[1] ?? '']
  // Names with spaces: the line splits in the middle, since both names are equal but for their first directory.
  const middle = (line.length - 1) / 2
  const [left, right] = [line.slice(0, middle), line.slice(middle + 1)]
  if (line[middle] !== ' ' || (withoutFirst(left) ?? left) !== (withoutFirst(right) ?? right)) return undefined
  return [left, right]
}

/** Without its first directory. */
function withoutFirst(name: string): string | undefined {
  const slash = name.indexOf('/')
  return slash > 0 && slash < name.length - 1 ? name.slice(slash + 1) : undefined
}

/**
 * Paths that the header names of one file may mean, the likeliest first: without the first directory where that is only
 * a prefix of diffs, else as written; then without the first directory, as `git apply` would read it.
 */
export function pathsMeant(oldName: string | undefined, newName: string | undefined): string[] {
  const name = newName ?? oldName ?? ''
  const short = withoutFirst(name)
  if (short === undefined) return [name]
  const side = name.slice(0, name.indexOf('/'))
  if (oldName === undefined || newName === undefined) return SIDES.has(side) ? [short] : [name]
  if (oldName !== newName) return withoutFirst(oldName) === short ? [short] : [name]
  return SIDES.has(side) ? [short, name] : [name, short]
}
