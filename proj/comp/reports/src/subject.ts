import { oneLine } from './safe-text.js'
import { shortPath } from './report-style.js'

const PATHS = ['path', 'old_path', 'source', 'base_path', 'file_path', 'directory']

/** What a call is about, on one line: its path, what it searches where, or the first line of its code. */
export function subjectOf(params: Record<string, unknown>, roots: readonly string[] = []): string {
  const text = (name: string): string | undefined => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    return typeof value === 'string' ? value : undefined
  }
  const path = PATHS.map(text).find(value => value !== undefined)
  const shown = path === undefined ? undefined : oneLine(shortPath(path, roots), 160)
  const pattern = text('pattern')
  if (pattern !== undefined) return `"${oneLine(pattern, 80)}"${shown === undefined ? '' : ` in ${shown}`}`
  if (shown !== undefined) return shown
  const code = text('code') ?? text('command')
  if (code !== undefined) return joined([text('lang'), firstLine(code)])
  const paths = text('paths')
  return paths === undefined ? '' : firstLine(paths, line => shortPath(line, roots))
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined).map(part => oneLine(part, 80)).join(': ')
}

function firstLine(text: string, show: (line: string) => string = line => line): string {
  const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '')
  return `${oneLine(show(lines[0] ?? ''), 80)}${lines.length > 1 ? ' …' : ''}`
}
