import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names that hermes keeps in a root, and names that its sandbox mounts there while a command runs, so that no command
 * can create them.
 */
const STATE = '.hermes'
const HELD = ['.git', 'hermes.yaml']
const LISTED = /^([dl-][rwxsStT-]{9}[.+@]?) +(\d+) +(\S+) +(\S+) +(\d+) +(.*)$/

/** Such names that are not part of the workspace: commands see them, but they mean nothing. */
export function heldNames(root: string): string[] {
  return [STATE, ...HELD.filter((name) => lstatSync(join(root, name), { throwIfNoEntry: false }) === undefined)]
}

/**
 * Removes from the output of commands that list names (`ls`, `find`, `git status`) the lines that list only held names,
 * and their effects on other lines: `ls -l` counts links and blocks, and aligns to its widest entry.
 */
export function withoutHeld(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  const name = `(?:${names.map((held) => held.replaceAll('.', String.raw`\.`)).join('|')})`
  const alone = new RegExp(`^(?:(?:\\./|<root>/)?${name}(?:/.*)?[/*]?|\\?\\? ${name}/?|\\t${name}/?)$`)
  const isHeld = (line: string): boolean => {
    const listed = LISTED.exec(line)?.[6]
    return alone.test(listed === undefined ? line : listed.split(' ').at(-1) ?? '')
  }
  const lines = text.split('\n')
  // `ls -l` prints only this for an empty directory.
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
  const [listed, mode, links, user, group, size, rest = ''] = LISTED.exec(line) ?? []
  if (listed === undefined) return line
  const isDirectory = mode?.startsWith('d') === true
  return [mode, isDirectory ? '<links>' : links, user, group, isDirectory ? '<size>' : size, rest].join(' ')
}
