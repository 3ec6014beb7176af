import { readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, join, resolve, sep } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import type { OpenFileParams } from '../kit/index.js'
import { escapeControls } from '../../../0-text/src/index.js'

const MOST = 200

export interface PathQuestion {
  /** An existing file, a name for a file that may not exist, or a directory. */
  kind: 'file' | 'save' | 'directory'
  filters?: OpenFileParams['filters']
  /** Base of relative paths. */
  root: string
}

export interface Suggestion {
  /** Absolute path; a directory to descend into ends with a slash. */
  value: string
  label: string
}

/**
 * Suggests completions of a path, first the path itself. Names with characters that a terminal interprets are left out,
 * since models create files.
 */
export function suggestPaths(typed: string, { kind, filters, root }: PathQuestion): Suggestion[] {
  if (typed === '') return []
  const whole = resolve(root, /^~(?=[\\/])/.test(typed) ? homedir() + typed.slice(1) : typed)
  const isOpen = typed.endsWith('/') || typed.endsWith(sep)
  const input = isOpen && !whole.endsWith(sep) ? whole + sep : whole
  const directory = isOpen ? input : dirname(input)
  const beginning = isOpen ? '' : input.slice(directory.endsWith(sep) ? directory.length : directory.length + 1)
  const entries = orNothing(() => readdirSync(directory), [])
    .filter(name => name.startsWith(beginning) && (beginning.startsWith('.') || !name.startsWith('.')))
    .filter(name => escapeControls(name) === name)
    .sort().slice(0, MOST)
  const suggestions = entries.flatMap((name): Suggestion[] => {
    const path = join(directory, name)
    // A directory to be chosen is already suggested itself.
    if (kind === 'directory' && path === input) return []
    if (isDirectory(path)) return [{ value: path + sep, label: name + sep }]
    return kind !== 'directory' && fits(name, filters) ? [{ value: path, label: name }] : []
  })
  return [...asItStands(input, isOpen, kind), ...suggestions]
}

function asItStands(input: string, isOpen: boolean, kind: PathQuestion['kind']): Suggestion[] {
  const path = join(input, '.')
  if (kind === 'directory') return isDirectory(path) ? [{ value: path, label: `. (${escapeControls(path)})` }] : []
  if (kind === 'file' || isOpen || statSync(path, { throwIfNoEntry: false }) || !isDirectory(dirname(path))) return []
  return [{ value: path, label: `${escapeControls(path)} (new)` }]
}

function isDirectory(path: string): boolean {
  return orNothing(() => statSync(path).isDirectory(), false)
}

function fits(name: string, filters: PathQuestion['filters']): boolean {
  if (!filters || filters.length === 0) return true
  const extension = extname(name).slice(1).toLowerCase()
  return filters.some(({ extensions }) => extensions.some(end => end === '*' || end.toLowerCase() === extension))
}
