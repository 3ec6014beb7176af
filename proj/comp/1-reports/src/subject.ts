import { oneLine } from './safe-text.js'
import { shortPath } from './report-style.js'

const PATHS = ['path', 'old_path', 'source', 'sourcePath', 'base_path', 'file_path', 'directory']
/** Parameters with a search term. */
const SOUGHT = ['query', 'symbol_name', 'pattern']
/** Parameters with code to run. */
const CODE = ['code', 'command', 'script']
const LANGUAGES = ['lang', 'language']
/** Parameters with text for somebody. */
const SAID = ['question', 'action_description', 'message', 'task']

const SUBJECT = new Set([
  ...PATHS, ...SOUGHT, ...CODE, ...LANGUAGES, ...SAID, 'line', 'column', 'executable', 'arguments', 'paths',
])

/** The parameters of a call that say what it is about. */
export function subjectParams(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => SUBJECT.has(name)))
}

/** The subject of a call on one line: its path, what it searches where, what it runs, or what it says. */
export function subjectOf(params: Record<string, unknown>, roots: readonly string[] = []): string {
  const valueOf = (name: string): unknown => (Object.hasOwn(params, name) ? params[name] : undefined)
  const firstOf = (names: readonly string[]): string | undefined => (
    names.map(valueOf).find(value => typeof value === 'string')
  )
  const path = firstOf(PATHS)
  const shown = path === undefined ? undefined : `${oneLine(shortPath(path, roots), 160)}${position(valueOf)}`
  const sought = firstOf(SOUGHT)
  if (sought !== undefined) return `"${oneLine(sought, 80)}"${shown === undefined ? '' : ` in ${shown}`}`
  if (shown !== undefined) return shown
  const code = firstOf(CODE)
  if (code !== undefined) return joined([firstOf(LANGUAGES), firstLine(code)])
  const program = firstOf(['executable'])
  if (program !== undefined) return commandLine(program, valueOf('arguments'))
  const said = firstOf(SAID)
  if (said !== undefined) return firstLine(said)
  const paths = firstOf(['paths'])
  return paths === undefined ? '' : firstLine(paths, line => shortPath(line, roots))
}

/** `:4:10`, for calls about a place in a file. */
function position(valueOf: (name: string) => unknown): string {
  return [valueOf('line'), valueOf('column')]
    .filter(value => /^\d{1,9}$/.test(typeof value === 'number' || typeof value === 'string' ? String(value) : ''))
    .map(value => `:${String(value)}`).join('')
}

/** In a block with only string values, arguments are one a line. */
function commandLine(program: string, given: unknown): string {
  const list: unknown[] = typeof given === 'string' ? given.split('\n') : Array.isArray(given) ? given : []
  const words = list.slice(0, 20).filter(word => typeof word === 'string' && word !== '')
    .map(word => (/^[\w@%+=:,./-]+$/.test(word as string) ? word : JSON.stringify(word)))
  return oneLine([program, ...words].join(' '), 120)
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined).map(part => oneLine(part, 80)).join(': ')
}

function firstLine(text: string, show: (line: string) => string = line => line): string {
  const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '')
  return `${oneLine(show(lines[0] ?? ''), 80)}${lines.length > 1 ? ' …' : ''}`
}
