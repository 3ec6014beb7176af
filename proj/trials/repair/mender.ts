import { shamBlock } from '../../comp/1-registry/src/registry/index.js'

/**
 * What only the model knows of what it meant: values by their parameter, and `action` where it named none; `change`:
 * the word that it puts in place of another; `again`: a block that did not run and is sent as it was.
 */
export interface Known {
  action?: string
  change?: readonly [from: string, to: string]
  again?: string
  [parameter: string]: unknown
}

/** The call that a model writes in place of the one that failed. */
interface Call {
  id: string
  verb: string
  params: Record<string, unknown>
}

const MARK = '    | '

/**
 * The second answer, by a reader that thinks nothing: it sees neither the first answer nor a file. What the reply shows
 * mended it sends; else it writes the call again, of the verb and the path that the reply names, with the lines of the
 * file that it shows, and does what the hint says.
 */
export function mendFromReply(reply: string, known: Known): string {
  const items = reply.split(/^(?=\S)/m).filter((item) => /^(?:FAILED|NOT PARSED)\b/.test(item))
  const sent = new Set<string>()
  const blocks = items.flatMap((item) => {
    const id = /^(?:FAILED|NOT PARSED) block (\S+)/.exec(item)?.[1] ?? ''
    // Of what is wrong with one block the cause comes first.
    if (id !== '' && sent.has(id)) return []
    sent.add(id)
    const block = shownBlock(item) ?? writtenBlock(item, known)
    return block === undefined ? [] : [block]
  })
  return [...blocks, ...(known.again !== undefined && /^SKIPPED /m.test(reply) ? [known.again] : [])].join('\n\n')
}

/** As the reply shows it mended, or as the hint writes it whole. */
function shownBlock(item: string): string | undefined {
  const lines = item.split('\n')
  const mended = lines.findIndex((line) => line.startsWith('    Mended; send it so'))
  if (mended >= 0) return unmarked(lines.slice(mended + 1))
  const called = lines.findIndex((line) => /^ {4}Hint: Write it as a call of /.test(line))
  if (called < 0) return undefined
  const indented = lines.slice(called + 1).filter((line) => line.startsWith('      ')).map((line) => line.slice(6))
  return indented.slice(0, indented.findLastIndex((line) => /^(?:#!END_|```|<\/)/.test(line)) + 1).join('\n')
}

function unmarked(lines: readonly string[]): string {
  const end = lines.findIndex((line) => !line.startsWith(MARK))
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.slice(MARK.length)).join('\n')
}

const HEAD = /^(?:FAILED|NOT PARSED)(?: block (?<id>\S+))?(?: \(lines? [^)]*\)| at line [^:]*)(?:: (?<words>.*))?$/m

function writtenBlock(item: string, known: Known): string | undefined {
  const { id, words = '' } = HEAD.exec(item)?.groups ?? {}
  const [verb = '', ...subject] = words.split(' ')
  // Where no verb was named the line tells of the path alone.
  const call: Call = known.action === undefined ? { id: id ?? 'new', verb, params: {} }
    : { id: id ?? 'new', verb: known.action, params: {} }
  const path = known.action === undefined ? subject.join(' ') : words
  if (path !== '') call.params[firstOf(call.verb)] = path
  for (const [pattern, follow] of HINTS) {
    const found = pattern.exec(item)
    if (found) follow(call, found, known)
  }
  const { action: _, change: __, again: ___, ...values } = known
  call.params = { ...values, ...call.params }
  return call.verb === '' ? undefined : written(call)
}

function firstOf(verb: string): string {
  return verb === 'file_move' ? 'old_path' : 'path'
}

/** What a hint tells to write, each in one of the ways that hints have. */
const HINTS: readonly [pattern: RegExp, follow: (call: Call, found: RegExpExecArray, known: Known) => void][] = [
  [/Did you mean ([\w.]+)\?/, (call, [, verb = '']) => { call.verb = verb }],
  [/Did you mean '([^']+)'\?/, (call, [, path]) => { call.params[firstOf(call.verb)] = path }],
  [/ (\w+) is (?:an integer|true or false); write (\S+) without quotes/, (call, [, name = '', value = '']) => {
    call.params[name] = JSON.parse(value)
  }],
  [/: apply_patch: ([^:]+): hunk /, (call, [, path]) => {
    Object.assign(call, { verb: 'edit_replace', params: { path } })
  }],
  [/all of it is lines = "([^"]+)"/, (call, [, lines]) => { call.params['lines'] = lines }],
  [/or write count = "(\d+)" to replace all/, (call, [, count]) => { call.params['count'] = count }],
  [/or replace only the lines that are to change\./, (call, _, { change }) => {
    if (!change) return
    call.verb = 'file_replace_text'
    Object.assign(call.params, { old_text: change[0], new_text: change[1] })
  }],
  // The lines of the file, in a hint or as a command printed them: of the one that is to change.
  [/has ("(?:[^"\\]|\\.)*"), (?:old_text|the hunk) has /, (call, [, text = '""'], known) => {
    replaced(call, text, known)
  }],
  [/^ {4}\| (\S+):\d+: expected (\S+), found (\S+)$/m, (call, [, path, to, from]) => {
    Object.assign(call, { verb: 'file_replace_text', params: { path, old_text: from, new_text: to } })
  }],
]

function replaced(call: Call, quoted: string, { change }: Known): void {
  const text = JSON.parse(quoted) as string
  Object.assign(call.params, { old_text: text, ...(change && { new_text: text.replace(change[0], change[1]) }) })
  if (call.verb === 'edit_replace') call.verb = 'file_replace_text'
}

/** In a form that takes the verb's values: those of clada's are text. */
function written({ id, verb, params }: Call): string {
  if (/^[a-z]+_[a-z_]+$/.test(verb) && !/^(?:read|write)_file$/.test(verb)) return shamBlock(id, verb, params)
  return ['```json hermes', JSON.stringify({ verb, arguments: params }), '```'].join('\n')
}
