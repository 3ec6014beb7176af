import { isAbsolute, sep } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'

/** Refuses impossible paths before the file system is asked. */
export function checkWritten(path: string): void {
  if (path === '') {
    throw new HermesError('INVALID_PARAMETER', 'Path is empty', { hint: 'Write the path of a file or directory.' })
  }
  if (path.includes('\0')) {
    throw new HermesError('INVALID_PARAMETER', `Path holds a NUL character: ${onOneLine(path)}`, {
      hint: 'Write the path without it.',
    })
  }
  if (/^(?:~(?:\/|$)|file:)/.test(path)) {
    throw new HermesError('INVALID_PARAMETER', `Invalid path: ${onOneLine(path)}`, {
      hint: 'Write the path itself: neither ~ nor file: is expanded.',
    })
  }
  if (process.platform === 'win32' ? hasAmbiguousName(path) : WINDOWS_ABSOLUTE.test(path)) {
    throw new HermesError('INVALID_PARAMETER', `Invalid absolute path: ${onOneLine(path)}`, {
      hint: process.platform === 'win32'
        ? 'Write names without a colon and without dots or spaces at their end.'
        : 'This is not a Windows machine: write the path with / and without a drive letter.',
    })
  }
}

const WINDOWS_ABSOLUTE = /^(?:[A-Za-z]:[\\/]|\\\\)/

/** On Windows: trailing dots and spaces are dropped, and a colon opens another stream of the file. */
function hasAmbiguousName(path: string): boolean {
  return path.replace(/^[A-Za-z]:/, '').split(/[\\/]/)
    .some((name) => name.includes(':') || (/[. ]$/.test(name) && name !== '.' && name !== '..'))
}

/** An absolute prefix that paths may have, and the directory that it stands for. */
export interface Prefix {
  names: readonly string[]
  directory: string
}

/** Names of an absolute path, without `.` and empty ones. */
export function namesOf(path: string): string[] {
  return path.split(SEPARATORS).filter((name) => name !== '' && name !== '.')
}

const SEPARATORS = sep === '\\' ? /[\\/]/ : '/'

/**
 * Makes a path absolute, with `..` and links unresolved. Relative paths start at the root; the longest matching prefix
 * (whole names only) is replaced by its directory.
 */
export function toAbsolute(path: string, root: string, prefixes: readonly Prefix[]): string {
  if (!isAbsolute(path)) return root + sep + path
  if (prefixes.length === 0) return path
  const names = namesOf(path)
  let best: Prefix | undefined
  for (const prefix of prefixes) {
    const longer = prefix.names.length > (best?.names.length ?? -1)
    if (longer && prefix.names.every((name, i) => name === names[i])) best = prefix
  }
  if (best === undefined) return path
  return best.directory + sep + names.slice(best.names.length).join(sep) + (/[\\/]\.?$/.test(path) ? sep : '')
}

/** A path for messages: as a JSON string if it has control characters. */
export function onOneLine(path: string): string {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path) ? JSON.stringify(path) : path
}
