import type { ShellWord } from './shell-words.js'

/** A verb call. */
export interface SweCall {
  name: string
  arguments: Record<string, unknown>
}

/** Options of `str_replace_editor` (`tools/edit_anthropic` of SWE-agent/SWE-agent), with their number of words. */
const OPTIONS = new Map([
  ['--file_text', 1], ['--old_str', 1], ['--new_str', 1], ['--insert_line', 1], ['--view_range', 2],
])

/** Required and optional options of each of its commands. */
const COMMANDS = new Map<string, { needs: readonly string[]; takes: readonly string[] }>([
  ['view', { needs: [], takes: ['--view_range'] }],
  ['create', { needs: ['--file_text'], takes: [] }],
  ['str_replace', { needs: ['--old_str'], takes: ['--new_str'] }],
  ['insert', { needs: ['--insert_line', '--new_str'], takes: [] }],
])

/** Converts `COMMAND PATH --OPTION VALUE …` into a verb call, or returns what is wrong with it. */
export function readEditorCall(given: readonly ShellWord[]): SweCall | string {
  const options = new Map<string, readonly string[]>()
  const places: string[] = []
  for (let at = 0; at < given.length; at++) {
    const { text, isQuoted } = given[at]!
    if (!text.startsWith('-') || isQuoted) {
      places.push(text)
      continue
    }
    const count = OPTIONS.get(text)
    if (count === undefined) return `It has no option ${text}`
    if (options.has(text)) return `${text} stands twice`
    const values = given.slice(at + 1, at + 1 + count)
    if (values.length < count || values.some((value) => value.text.startsWith('--') && !value.isQuoted)) {
      return `${text} takes ${count === 1 ? 'a value' : `${count} values`}`
    }
    options.set(text, values.map((value) => value.text))
    at += count
  }
  const [command = '', path, ...more] = places
  const form = COMMANDS.get(command)
  if (!form) return `Its commands here are ${[...COMMANDS.keys()].join(', ')}, not ${command || 'none'}`
  if (path === undefined || path === '') return `${command} names no path`
  if (more.length > 0) return `${command} takes one path, and ${more[0]} stands behind it`
  const other = [...options.keys()].find((key) => !form.needs.includes(key) && !form.takes.includes(key))
  if (other !== undefined) return `${command} takes no ${other}`
  const missing = form.needs.find((key) => !options.has(key))
  if (missing !== undefined) return `${command} needs ${missing}`
  return callOf(command, path, options)
}

function callOf(command: string, path: string, options: ReadonlyMap<string, readonly string[]>): SweCall | string {
  const text = (key: string) => options.get(key)?.[0] ?? ''
  switch (command) {
    case 'view': return viewed(path, options.get('--view_range'))
    // Like the original, it does not overwrite.
    case 'create': return { name: 'write_file', arguments: { path, content: text('--file_text'), overwrite: false } }
    case 'str_replace': {
      const [old_text, new_text] = [text('--old_str'), text('--new_str')]
      if (old_text === '') return '--old_str is empty'
      return { name: 'file_replace_text', arguments: { path, old_text, new_text } }
    }
    default: {
      const line = text('--insert_line')
      if (!/^\d{1,9}$/.test(line)) return `--insert_line ${line} is no line`
      return { name: 'fs.writeRange', arguments: { path, startLine: Number(line) + 1, content: text('--new_str') } }
    }
  }
}

function viewed(path: string, range: readonly string[] | undefined): SweCall | string {
  if (!range) {
    const isDirectory = path.endsWith('/') || path === '.' || path === '..'
    return { name: isDirectory ? 'list_directory' : 'read_file', arguments: { path } }
  }
  const [first = '', last = ''] = range
  if (!/^[1-9]\d{0,8}$/.test(first) || !/^(?:[1-9]\d{0,8}|-1)$/.test(last)) {
    return `--view_range ${first} ${last} is no range of lines`
  }
  const end = last === '-1' ? {} : { end_line: Number(last) }
  return { name: 'read_file', arguments: { path, start_line: Number(first), ...end } }
}
