import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What hermes itself keeps in a root, and what its sandbox holds there while a command runs so that none can make it.
 */
const STATE = '.hermes'
const HELD = ['.git', 'hermes.yaml']
const LISTED = /^([dl-][rwxsStT-]{9}[.+@]?) +(\d+) +(\S+) +(\S+) +(\d+) +(.*)$/

/** Those that a workspace does not have of its own: commands see them, and they mean nothing. */
export function heldNames(root: string): string[] {
  return [STATE, ...HELD.filter((name) => lstatSync(join(root, name), { throwIfNoEntry: false }) === undefined)]
}

/**
 * What a command that lists names printed, without the lines that list such names and nothing else (`ls`, `find`,
 * `git status`), and without what they change in others: `ls -l` counts links and blocks,
 * and is as wide as its widest entry.
 */
export function withoutHeld(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  const name = `(?:${names.map((one) => one.replaceAll('.', String.raw`\.`)).join('|')})`
  const alone = new RegExp(`^(?:(?:\\./|<root>/)?${name}(?:/.*)?[/*]?|\\?\\? ${name}/?|\\t${name}/?)$`)
  const isHeld = (line: string): boolean => {
    const listed = LISTED.exec(line)?.[6]
    return alone.test(listed === undefined ? line : listed.split(' ').at(-1) ?? '')
  }
  const lines = text.split('\n')
  // Of an empty directory `ls -l` prints this and no more.
  const isEmpty = (line: string, next: string | undefined): boolean =>
    line === 'total 0' && (next === undefined || next === '')
  return lines.flatMap((line, index) => {
    if (isHeld(line)) return []
    const next = lines[index + 1]
    const isTotal = /^total \d+$/.test(line) && (isEmpty(line, next) || (next !== undefined && LISTED.test(next)))
    return [isTotal ? 'total <blocks>' : plainListing(line)]
  }).join('\n')
}

function plainListing(line: string): string {
  const [found, mode, links, user, group, size, rest = ''] = LISTED.exec(line) ?? []
  if (found === undefined) return line
  const isDirectory = mode?.startsWith('d') === true
  return [mode, isDirectory ? '<links>' : links, user, group, isDirectory ? '<size>' : size, rest].join(' ')
}
