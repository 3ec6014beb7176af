import { flawOfAll, type Flaw } from './flaw.js'
import { readShellWords, type ShellWord } from './shell-words.js'
import { readEditorCall, type SweCall } from './swe-editor.js'

type SweCommand = { ok: true; call: SweCall } | { ok: false; flaw: Flaw }

/**
 * Reads an answer for SWE-agent: one command, of the shell or of SWE-agent itself (`tools/` of SWE-agent/SWE-agent).
 * Its own commands become calls of verbs. Those that use its editor window or end its task are refused wherever they
 * stand, since a shell would find other programs or none.
 *
 * @param isPlain the fence names no language, so it may only show something
 */
export function readSweCommand(content: string, isPlain: boolean): SweCommand {
  const text = content.trim()
  if (text === '') return refused('The fence holds no command')
  if (NO_COMMAND.test(text) || (isPlain && INNER_FENCE.test(text))) {
    return refused('The fence shows something that is no command', 'Write what only shows something in a longer fence '
      + 'with a language (text), and the command in the one ```bash fence of the answer.')
  }
  const name = /^\S+/.exec(text)![0]
  // Some models write `edit:`.
  if (/^edit:?(?:\d+:\d*)?$/.test(name)) return refused(`${name} ${WINDOW}`, REPLACE)
  const instead = INSTEAD.get(name)
  if (instead !== undefined) return refused(`${name} ${instead.why}`, instead.hint)
  const own = name === 'str_replace_editor' ? readEditorCall : OWN[name]
  if (!own) return shellCommand(content)
  const read = readShellWords(text)
  if (typeof read === 'string') return refused(`${name}: ${read}`, PLAIN_WORDS)
  const [, ...given] = read
  const call = own(given)
  return typeof call === 'string' ? refused(`${name}: ${call}`) : { ok: true, call }
}

function refused(message: string, hint?: string): SweCommand {
  return { ok: false, flaw: flawOfAll(message, hint) }
}

/** Beginnings of fences that show something: markup, a patch, JSON, another fence, a shell prompt or redirection. */
const NO_COMMAND = /^(?:[<>]|\*{3} |--- |\+{3} |@@ |diff --git |\[?[ \t\r\n]*\{[ \t\r\n]*"|`{3}|~{3}|[$%] )/
const INNER_FENCE = /^[ \t]{0,3}(?:`{3}|~{3})/m

const PLAIN_WORDS = "Write one command of plain words, with '…' around what holds blanks or signs of the shell, "
  + 'and nothing before or behind it.'

const REPLACE = "Write str_replace_editor str_replace PATH --old_str '…' --new_str '…', which needs no window."
const WINDOW = "works on the window of SWE-agent's editor"

/** Commands of SWE-agent that do not run: why, and what to write instead. */
const INSTEAD = new Map<string, { why: string; hint: string }>([
  ...['goto', 'scroll_up', 'scroll_down'].map((name) => [name, {
    why: WINDOW, hint: 'Write open PATH LINE, which reads the file from some lines before that line on.',
  }] as const),
  ...['edit', 'undo_edit', 'end_of_edit'].map((name) => [name, { why: WINDOW, hint: REPLACE }] as const),
  ...['insert', 'append'].map((name) => [name, {
    why: WINDOW, hint: "Write str_replace_editor insert PATH --insert_line N --new_str '…', which needs no window.",
  }] as const),
  ...['submit', 'exit_forfeit', 'exit_cost', 'exit_context', 'exit_format'].map((name) => [name, {
    why: 'ends the task of SWE-agent', hint: 'Write no command where the task is done: say so in words.',
  }] as const),
])

type Own = (given: readonly ShellWord[]) => SweCall | string

/** Lines that its editor window shows above the requested line. */
const LINES_BEFORE = 50

const OWN: Readonly<Record<string, Own | undefined>> = Object.assign(Object.create(null) as object, {
  open: (given) => taking(given, 'open PATH [LINE]', 1, 2, (path, line) => {
    if (line === undefined) return { name: 'read_file', arguments: { path } }
    if (!/^[1-9]\d{0,8}$/.test(line)) return `${line} is no line`
    return { name: 'read_file', arguments: { path, start_line: Math.max(1, Number(line) - LINES_BEFORE) } }
  }),
  create: (given) => taking(given, 'create PATH', 1, 1, (path) => (
    { name: 'write_file', arguments: { path, content: '', overwrite: false } }
  )),
  search_dir: (given) => taking(given, "search_dir 'TEXT' [DIRECTORY]", 1, 2, searched),
  search_file: (given) => (given.length === 1 ? 'Without a file it searches in the window of its editor'
    : taking(given, "search_file 'TEXT' FILE", 2, 2, searched)),
  find_file: (given) => taking(given, "find_file 'NAME' [DIRECTORY]", 1, 2, (pattern, path = '.') => (
    { name: 'list_directory', arguments: { path, recursive: true, pattern } }
  )),
} satisfies Record<string, Own>)

function searched(query: string, path = '.'): SweCall {
  return { name: 'search_files', arguments: { query, path, case_sensitive: true } }
}

/** Parses a command with a fixed number of words, none of them an option. */
function taking(
  given: readonly ShellWord[], shape: string, least: number, most: number,
  make: (first: string, second?: string) => SweCall | string,
): SweCall | string {
  const option = given.find(({ text, isQuoted }) => text.startsWith('-') && !isQuoted)
  if (option) return `It has no option ${option.text}; write ${shape}`
  if (given.length < least || given.length > most) return `It is written ${shape}`
  return make(given[0]!.text, given[1]?.text)
}

/** Leaves a command to the shell, unless one of SWE-agent's own is in it. */
function shellCommand(code: string): SweCommand {
  const own = IN_SHELL.exec(withoutTexts(code))?.[1]
  if (own !== undefined) {
    return refused(`${own} is a command of SWE-agent's own, which no shell has`,
      'None of it ran. Write such a command alone in the fence of an answer, without && and other commands.')
  }
  return { ok: true, call: { name: 'exec', arguments: { lang: 'bash', code } } }
}

const NAMES = [...INSTEAD.keys(), ...Object.keys(OWN), 'str_replace_editor'].join('|')
/** One of SWE-agent's commands where a shell expects a command. */
const IN_SHELL = new RegExp(`(?:^|[;&|({!\`]|\\b(?:then|do|else)\\b)[ \\t]*(${NAMES})(?![^\\s;&|)\`])`, 'm')

/** The code without heredocs, quoted strings and comments, which may contain any word. */
function withoutTexts(code: string): string {
  const kept: string[] = []
  const ends: string[] = []
  for (const line of code.split('\n')) {
    if (ends.length > 0) {
      if (line.trim() === ends[0]) ends.shift()
      continue
    }
    kept.push(line)
    for (const [, , end] of line.matchAll(HEREDOC)) ends.push(end!)
  }
  return kept.join('\n').replace(TEXTS, '""')
}

const HEREDOC = /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w{0,99})\1/g
const TEXTS = /\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|(?<=^|[ \t;])#[^\n]*/gm
