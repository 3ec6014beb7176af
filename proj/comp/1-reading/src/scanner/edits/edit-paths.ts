import { CharSet } from '../char-set.js'

/** Paths as models write them beside a block: alone on a line with any decoration, or in a fence's info string. */

/** Longest path; longer text is prose. */
const MAX_PATH = 500
/** `File:`, also `**File:**` and `**File**:`. */
const LABEL =
  /^(\*{0,3}|_{0,3})(?:file ?(?:name|path)?|path|new file|create|update|edit|modify)[ \t]*(?::\1|\1:)[ \t]*/i
/** A note behind a path. */
export const NOTE = /[ \t]+\((?:new|new file|modified|updated|created?|existing|changed)\)$/i
/** Comment signs and heading marks before a path; the blank after them distinguishes `# a.py` from `#a.py`. */
const COMMENT = /^(?:#{1,6}|\/\/+|--|;+|%+|<!--|\/\*+|\*|[-+]|\d{1,3}[.)])[ \t]+/
const COMMENT_END = /[ \t]*(?:-->|\*\/)$/
const WITHOUT_EXTENSION =
  /^(?:[A-Z][A-Za-z]*file|README|LICENSE|NOTICE|CHANGELOG|CODEOWNERS|AUTHORS|VERSION|BUILD|WORKSPACE|\.[A-Za-z][\w.-]*)$/
const EXTENSION = /\.[A-Za-z][A-Za-z0-9_+~-]{0,15}$/
/** Product names that look like file names. */
const PRODUCT =
  /^(?:(?:node|vue|next|nuxt|react|express|three|d3|angular|backbone|ember|discord|chart|socket)\.js|(?:asp|vb|ado|ml)?\.net)$/i

/** The path that a line consists of, without decoration; `undefined` for prose. */
export function pathOfLine(line: string): string | undefined {
  if (line.length > MAX_PATH + 100) return undefined
  let text = line.trim()
  let quoted = false
  for (let before = ''; before !== text;) {
    before = text
    for (const part of [COMMENT, COMMENT_END, LABEL, NOTE, /[ \t]*:+$/]) text = text.replace(part, '')
    const inner = /^(\*{1,3}|_{1,3}|`{1,2}|["'])(.+)\1:*$/.exec(text)
    if (inner && !inner[2]!.includes(inner[1]!)) {
      text = inner[2]!.trim()
      quoted ||= /[`"']/.test(inner[1]!)
    }
  }
  return isPath(text, quoted) ? slashed(text.replace(/\\(?=[_*~`#-])/g, '')) : undefined
}

/** Converts `src\a.py` to `src/a.py`; paths with a drive or share stay as they are. */
function slashed(path: string): string {
  return /^(?:[A-Za-z]:|\\)/.test(path) || path.includes('/') ? path : path.replaceAll('\\', '/')
}

/** Quoted text that begins with one of these is a command. */
const COMMAND = new RegExp(`^(?:[$>%#] |(?:${[
  'sudo', 'npx?', 'npm', 'pnpm', 'yarn', 'bun', 'deno', 'node', 'tsx?', 'tsc', 'python[\\d.]*', 'pip\\d?', 'pytest',
  'uv', 'ruby', 'perl', 'php', 'go', 'cargo', 'rustc', 'java', 'javac', 'gcc', 'g\\+\\+', 'clang', 'make', 'cmake',
  'git',
  'docker', 'bash', 'sh', 'zsh', 'source', 'cat', 'less', 'head', 'tail', 'ls', 'cd', 'cp', 'mv', 'rm', 'touch',
  'mkdir', 'chmod',
  'echo', 'grep', 'rg', 'sed', 'awk', 'diff', 'patch', 'vim?', 'nano', 'code', 'open', 'curl', 'wget', 'import', 'from',
  'require', 'include', 'use', 'run', 'export', 'env', 'time', 'jq',
].join('|')})\\s)|\\s-`)

function isPath(text: string, quoted: boolean): boolean {
  if (text === '' || text.length > MAX_PATH || /[\u0000-\u001f<>|*?`]/.test(text) || text.includes('://')) return false
  if (/\s/.test(text) && (!quoted || COMMAND.test(text))) return false
  if (/[/\\:.,;!?)]$/.test(text) || /^(?:=|-|\/\/)/.test(text) || PRODUCT.test(text)) return false
  const name = /[^/\\]+$/.exec(text)?.[0] ?? ''
  return EXTENSION.test(name) || WITHOUT_EXTENSION.test(name) || /^(?:\.{0,2}\/|[A-Za-z]:[\\/])[^\s]/.test(text) ||
    (quoted && /^[\w@.-]+(?:\/[\w@.-]+)+$/.test(text)) || /^[\w@.-]+(?:\/[\w@.-]+)+\/[\w@.-]+$/.test(text)
}

/** Words for other actions with a path and the content of a fence than writing the file: `append notes.md`. */
const OTHER_ACTION = /^(?:save|patch|append|prepend|insert|delete|remove|read|cat|show|output|head|tail)$/i

/** A language or nothing, as in most info strings. */
const WORD = /^\w*$/

/** The path in a fence's info string: `python src/a.py`, `python:src/a.py`, `src/a.py`, `js title="a.js"`. */
export function pathOfInfo(info: string): string | undefined {
  if (WORD.test(info) || /^\d+:\d+:/.test(info)) return undefined
  const named =
    /(?:^|[\s{,])(?:title|file(?:_?name|_?path)?|path)[=:][ \t]*(?:"([^"]+)"|'([^']+)'|([^\s,}]+))/i.exec(info)
  if (named) return pathOfLine(`\`${named[1] ?? named[2] ?? named[3]!}\``)
  const words = info.split(/\s+/)
  if (words.length > 2) return undefined
  const word = words.at(-1)!
  const colon = words.length === 1 ? /^[\w+#-]{2,}:(.+)$/.exec(word) : null
  if (colon) return pathOfLine(colon[1]!)
  if (words.length === 2 && OTHER_ACTION.test(words[0]!)) return undefined
  return words.length === 2 || EXTENSION.test(word) ? pathOfLine(word) : undefined
}

const FIRST_LINE = /^(?:\/\/|#|--|;|%|<!--|\/\*)[ \t]*filepath:[ \t]*(\S.*)$/

/** The path in a comment on the first line of a fence: `// filepath: src/a.ts`. */
export function pathOfFirstLine(line: string): string | undefined {
  const said = FIRST_LINE.exec(line.trim())?.[1]
  return said === undefined ? undefined : pathOfLine(said)
}

/** Quick test whether the line that starts at `at` may be such a comment. */
export function mayNameFile(text: string, at: number): boolean {
  return MAY_NAME.has(text.charCodeAt(at)) && text.slice(at, at + 20).includes('filepath:')
}

const MAY_NAME = new CharSet('/#-;%< ')

/** Whether a line is nearly a path: alone on its line it names a file, or something else that the block is about. */
export function isNearPath(line: string): boolean {
  const text = line.trim().replace(/^(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+/, '').replace(/:$/, '')
  if (text.length > MAX_PATH || /^`{3}/.test(text)) return false
  const inner = /^(?:\*\*)?(`|\*\*|["'])([^`*"']+)\1(?:\*\*)?$/.exec(text)
  const word = inner?.[2] ?? text
  const isPathlike = /[/\\]\w/.test(word) || /^\.\w/.test(word) || (inner?.[1] === '`' && /^[\w.-]+$/.test(word))
  return isPathlike && /^[^\s<>|`*()[\]{},;!?]+$/.test(word)
}

const NAMED_FILE = /`([^`\s]+)`|(?:^|[\s("'*])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?=$|[\s)"'*:,.;])/g

/** A file that a line of prose mentions, other than `known`. */
export function otherPathIn(line: string, known: string | undefined): string | undefined {
  for (const word of line.slice(0, 2000).matchAll(NAMED_FILE)) {
    const path = pathOfLine(word[1] ?? word[2]!)
    if (path !== undefined && EXTENSION.test(path) && path !== known && !known?.endsWith(`/${path}`)) return path
  }
  return undefined
}
