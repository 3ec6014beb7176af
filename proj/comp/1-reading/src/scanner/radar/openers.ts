import type { EditFormat, NamedDialect } from '../../../../0-contracts/src/index.js'
import { CharSet } from '../char-set.js'

/**
 * All openers of actions, of hermes and of other tools, as data. The first character of `find` is rare in prose, so
 * that native search quickly skips texts without it.
 */
export interface Opener {
  /** Name of the format in messages. */
  name: string
  kind: 'own' | 'foreign'
  /** Prose never contains it: at a live place, unread, it is an error. */
  certain: boolean
  /** Text for native search. */
  find: string
  /** Whether `find`, at `at` of this line, begins an action. Lines are of bounded length. */
  opens: (line: string, at: number) => boolean
  /** The action begins further left on the line, which `opens` has checked. */
  isInside?: true
  /** What it is, for things that are never read. */
  says?: string
  /** A cheap check before `opens`, where `find` is frequent. */
  near?: (text: string, at: number) => boolean
  /** Its dialect is always read, so unread it is at a place where calls are not. */
  isRead?: true
  /** Nearly a call of a format that is read. */
  isOdd?: true
  /** Its dialect is read where this is enabled by name. */
  dialect?: NamedDialect
  /** It also opens in mid-line, outside code spans. */
  midLine?: true
  /** It is a fence's opening line. */
  fenced?: true
  /** Text that ends the action; without it the action ends on the opener's line. */
  ends?: string
  /** Names of rows whose openers, before the end, are parts of this action. */
  holds?: readonly string[]
  /** What to write instead. */
  hint: string
}

export const BLOCK_HINT = 'Write it as a hermes block instead: <tool_call>{"name": "…", "arguments": {…}}</tool_call>'
export const START_HINT = 'Put it first on a line of its own to run it, or in backticks to quote it.'
const HEADER_HINT = 'A header is #!SHAM [@three-char-SHA-256: abc], alone on its line.'
const FENCE_HINT = 'Write hermes as a word of its own behind the language: ```yaml hermes'
export const CALL_HINT =
  'Write <tool_call>{"name": "…", "arguments": {…}}</tool_call>, the opening tag first on its line.'

/** A tag first on its line; a bare tag may only be followed by the start of its content. */
function tag(name: string, find: string, more: Partial<Opener> = {}): Opener {
  const opens = firstBefore(find, find.endsWith('>') ? BARE_REST : ATTRIBUTES)
  return { name, kind: 'foreign', certain: true, find, opens, ends: `</${find.slice(1).replace(/[ =>].*/, '')}>`,
    hint: BLOCK_HINT, ...more }
}

/** Whether `find` is first on its line and followed by `rest`. */
function firstBefore(find: string, rest: RegExp): Opener['opens'] {
  return (line, at) => isFirst(line, at) && rest.test(line.slice(at + find.length))
}

/** A misspelt tag, first on its line and followed by `rest`. */
function odd(name: string, find: string, rest: RegExp): Opener {
  return tag(name, find, { isOdd: true, opens: firstBefore(find, rest) })
}

const READ = { isRead: true, hint: START_HINT } as const

/** A special token: alone on its line, or followed by the start of its payload, also in mid-line. */
function token(name: string, find: string, payload: RegExp, ends?: string, holds: readonly string[] = []): Opener {
  const opens = (line: string, at: number): boolean => {
    const rest = line.slice(at + find.length).trimStart()
    return (rest === '' && isFirst(line, at)) || payload.test(rest)
  }
  return { name, kind: 'foreign', certain: true, find, opens, midLine: true, isRead: true, hint: START_HINT,
    ...(ends !== undefined && { ends, holds: [BARE, ...holds] }) }
}

const NEWLINE = 0x0a
const [LETTER_E, LETTER_H] = [0x65, 0x68]
/** First words of info strings without the word hermes that open something. */
const OTHER_INFO = ['save', 'append', 'patch', 'tool_code', 'mswea_bash_command']
const OTHER_FIRST = new CharSet('saptm')

function fence(
  find: string, name: string, info: RegExp, kind: Opener['kind'], more: Partial<Opener> = {},
): Opener {
  return {
    name, kind, certain: kind === 'own', find, fenced: true, ends: find,
    opens: (line, at) => {
      const words = line.slice(at).replace(/^[`~]+/, '')
      return isFirst(line, at) && info.test(words) && !(find === '```' && words.includes('`'))
    },
    hint: kind === 'own' ? FENCE_HINT : BLOCK_HINT, ...more,
  }
}

/** Longest info string to examine; the rest is cut off, and the deciding word comes earlier. */
const LONGEST_INFO = 200

/**
 * Quick test whether the info string at `from` may belong to one of the rows. Most fences have none (closing ones) or a
 * language.
 */
export function infoMayOpen(text: string, from: number): boolean {
  const code = text.charCodeAt(from)
  if (code === NEWLINE) return false
  // Line numbers of a file.
  if (code >= 0x30 && code <= 0x39) return true
  if (OTHER_FIRST.has(code) && OTHER_INFO.some((word) => text.startsWith(word, from))) return true
  for (let at = from; at < from + LONGEST_INFO; at++) {
    const next = text.charCodeAt(at)
    if (next === NEWLINE || next !== next) return false
    // `he` of hermes, in either case.
    if ((next | 0x20) === LETTER_H && (text.charCodeAt(at + 1) | 0x20) === LETTER_E) return true
  }
  return true
}

function header(find: string): Opener {
  return { name: 'SHAM', kind: 'own', certain: true, find, opens: opensHeader, hint: HEADER_HINT }
}

function call(find: string): Opener {
  return {
    name: 'tool call', kind: 'own', certain: true, find, midLine: true, ends: find.replace(/^(<|&lt;)/, '$1/'),
    holds: [QWEN, BARE],
    opens: (line, at) => {
      const rest = line.slice(at + find.length).trimStart()
      return rest.startsWith('{') || /^\[[ \t]*\{/.test(rest)
        || (isFirst(line, at) && (rest === '' || rest.startsWith('<')))
    },
    hint: CALL_HINT,
  }
}

const QWEN = 'Qwen3-Coder'
const BARE = 'bare JSON'
const ANTHROPIC = 'Anthropic'
const KIMI = 'Kimi K2'
const DEEPSEEK = 'DeepSeek'
const CLINE = 'Cline'
const ROO = 'Roo Code'

/** What may precede an opener: white space and invisible characters, quoting and list signs, a closing tag. */
const BEFORE = /^(?:[\s\u200b-\u200d\u2060>*+_\\-]|\d{1,9}[.)]\s|<\/[\w:]+>)*["“]?$/
/** Characters that models write for a line break but that end no line. */
const BROKEN_LINE = /(?:[\r\u0085\u2028\u2029]|\\n)[ \t]*$/
/** Beginnings of Python lines that are no call. */
const STATEMENT = /^[ \t]*(?:(?:import|from|def|class|with|for|while|if|try)\b.*[\w:]$|[A-Za-z_][\w.]*[ \t]*=|#|@)/
const BARE_REST = /^[ \t]*(?:[<[{]|$)/
/** Attributes; in quotes `<` and `>` are allowed. */
const ATTRIBUTES = /^(?:[^<>]{0,500}|(?:"[^"]{0,500}"|[^<>"]){0,500})(?:>|$)/
const HEADER = /^(?:[#＃][ \t]*[!！][ \t]*(?:sham|nesl)(?![a-z])|[#＃](?:sham|nesl)[ \t]*\[)/i
/** `"name": `, a name, a list, an object, or another special token. */
const JSON_OR_NAME = /^(?:[[{]|<[|｜]|[A-Za-z_][\w.-]*(?:[[{(:]|<[|｜]|$))/

/** Whether only what may precede an opener stands before `at`. */
export function isFirst(line: string, at: number): boolean {
  return at === 0 || isBehindFalseBreak(line, at) || BEFORE.test(line.slice(0, at))
}

export function isBehindFalseBreak(line: string, at: number): boolean {
  return at > 0 && BROKEN_LINE.test(line.slice(Math.max(0, at - 8), at))
}

function opensHeader(line: string, at: number): boolean {
  if (!HEADER.test(line.slice(at, at + 200))) return false
  if (at === 0) return true
  const before = line.slice(0, at).replace(/`{1,3}[ \t]*$/, '')
  return isFirst(before, before.length) && (before.length === at || /^[^`]*`+[ \t]*$/.test(line.slice(at)))
}

const INFO_WITH_HERMES = /(?:^|[^A-Za-z0-9])hermes(?:[^\w.-]|-+(?:\s|$)|[-_](?:ya?ml|json)(?![\w-])|$)/i
const ACTION_TAGS: readonly [string, NamedDialect, readonly string[]][] = [
  [CLINE, 'cline', [
    'write_to_file', 'replace_in_file', 'execute_command', 'read_file', 'search_files', 'list_files',
    'list_code_definition_names', 'use_mcp_tool', 'access_mcp_resource', 'browser_action',
  ]],
  [ROO, 'roo', ['apply_diff', 'insert_content', 'search_and_replace']],
]

/** Properties of a dialect that is read only where enabled by name. */
function named(dialect: NamedDialect): Pick<Opener, 'dialect' | 'hint'> {
  return { dialect, hint: `Read it with --dialect ${dialect} (option editFormats), or write it as a hermes block.` }
}

/** An opener that ordinary text may contain as well. */
function likely(name: string, find: string, opens: Opener['opens'], dialect: NamedDialect): Opener {
  return { name, kind: 'foreign', certain: false, find, opens, ...named(dialect) }
}

/** Tests a sticky pattern at a place. */
function near(pattern: RegExp): NonNullable<Opener['near']> {
  return (text, at) => {
    pattern.lastIndex = at
    return pattern.test(text)
  }
}

/** Whether only the bracket of a list precedes the object on its line. */
function opensObject(line: string, at: number): boolean {
  const before = line.slice(0, at).replace(/\[\s*$/, '')
  return isFirst(before, before.length)
}

/** `{"name": "…", "arguments": {` and the like, or the name alone on its line, since the rest may not have come yet. */
const JSON_CALL = new RegExp([
  String.raw`\{\s*(?:"(?:id|type)"\s*:\s*"[^"\n]{0,200}"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?`,
  String.raw`"(?:name|tool|action)"\s*:\s*"[\w.:-]{1,200}"\s*,\s*`,
  String.raw`(?:"(?:arguments|parameters|args|input|tool_input|action_input)"\s*:\s*["{]|(?:\r?\n|$))`,
].join('').replaceAll(String.raw`\s*`, String.raw`[ \t]*`), 'y')

/** Excludes brackets that open a link, as most do. */
function beginsPython(text: string, at: number): boolean {
  const [first, before] = [text.charAt(at - 2), text.charAt(at - 1)]
  if (before !== '' && before !== '\n' && (before > ' ' || !' \t\r\n>-*+.)'.includes(first))) return false
  return fitsPython(text, at)
}

const BEGINS_PYTHON = /\[[A-Za-z_][\w.]{0,200}\([A-Za-z_]\w{0,200}=(?!=)/y
const fitsPython = near(BEGINS_PYTHON)
const PYTHON_CALL = /^\[[A-Za-z_][\w.]{0,200}\([A-Za-z_]\w{0,200}=(?!=).*\)\][ \t]*$/

export const OPENERS: readonly Opener[] = [
  header('#'),
  header('＃'),
  fence('```', 'hermes fence', INFO_WITH_HERMES, 'own'),
  fence('~~~', 'hermes fence', INFO_WITH_HERMES, 'own'),
  ...['<tool_call>', '<tool-call>', '<toolcall>', '<tool call>', '&lt;tool_call&gt;', '<function_call>'].map(call),

  tag(ANTHROPIC, '<function_calls>', { ...READ, holds: [ANTHROPIC] }),
  tag(ANTHROPIC, '<invoke name=', READ),
  odd(ANTHROPIC, '<invoke', /^(?! name=)\s[^<>]{0,200}\bname\s*=/),
  tag(QWEN, '<function=', { ...READ, holds: [BARE] }),
  odd(QWEN, '<function', /^(?:\s+=\s*|\s+name\s*=\s*)["'\w]/),
  tag('MiniMax', '<tool_calls>', { ...READ, holds: [ANTHROPIC, 'tool call', BARE] }),
  tag('MiniMax', '<minimax:tool_call>', { ...READ, holds: [ANTHROPIC] }),
  tag('Seed-OSS', '<seed:tool_call>', { ...READ, holds: [QWEN] }),
  token('Nemotron', '<TOOLCALL>', /^[[{]/, '</TOOLCALL>'),
  token('Llama', '<|python_tag|>', /^(?:\{|[\w.]+\()/, '<|eom_id|>'),
  {
    name: "Llama's code interpreter", kind: 'foreign', certain: true, find: '<|python_tag|>', ends: '<|eom_id|>',
    opens: firstBefore('<|python_tag|>', STATEMENT),
    hint: 'Write a call of execute_script, with the code in it.',
  },
  token('Mistral', '[TOOL_CALLS]', /^(?:\[|\{|[\w.-]+(?:\[|\{))/),
  token(DEEPSEEK, '<｜tool▁calls▁begin｜>', JSON_OR_NAME, '<｜tool▁calls▁end｜>', [DEEPSEEK]),
  token(DEEPSEEK, '<｜tool▁call▁begin｜>', JSON_OR_NAME, '<｜tool▁call▁end｜>'),
  token(DEEPSEEK, '<｜DSML｜function_calls>', /^</, '</｜DSML｜function_calls>', [DEEPSEEK]),
  token(DEEPSEEK, '<｜DSML｜invoke', /^name=/, '</｜DSML｜invoke>'),
  token(KIMI, '<|tool_calls_section_begin|>', JSON_OR_NAME, '<|tool_calls_section_end|>', [KIMI]),
  token(KIMI, '<|tool_call_begin|>', JSON_OR_NAME, '<|tool_call_end|>'),
  token('LFM2', '<|tool_call_start|>', /^[[{]/, '<|tool_call_end|>'),
  token('Granite or Phi-4', '<|tool_call|>', /^[[{]/, '<|/tool_call|>'),
  token('Command R', '<|START_ACTION|>', /^[[{]/, '<|END_ACTION|>'),
  token('InternLM', '<|action_start|>', /^(?:<\||[[{])/, '<|action_end|>'),
  ...['<|channel|>commentary to=', '<|channel|>analysis to=', '<|start|>assistant to='].map((find) => (
    token('gpt-oss harmony', find, /^[\w.]/, '<|call|>'))),
  {
    name: 'Functionary', kind: 'foreign', certain: true, find: 'functools[', ...named('functionary'),
    opens: firstBefore('functools[', /^[ \t]*(?:\{|$)/),
  },
  ...ACTION_TAGS.flatMap(([name, dialect, tags]) => tags.map((word) => tag(name, `<${word}>`, named(dialect)))),
  tag('bolt.new', '<boltAction', named('bolt')),
  odd('bolt.new', '<boltArtifact', /^[ \t][^<>]{0,500}>[ \t]*<boltAction[ \t]/),
  odd('Cline', '<write_to_file', /^\s[^<>]{0,200}\bpath\s*=/),
  ...['write', 'delete', 'rename'].map((word) => tag('dyad', `<dyad-${word}`, named('dyad'))),
  ...['add-dependency', 'execute-sql', 'search-replace'].map((word) => tag('dyad', `<dyad-${word}`)),
  ...['write', 'delete', 'rename'].map((word) => tag('Lovable', `<lov-${word}`, named('lovable'))),
  ...['add-dependency', 'line-replace'].map((word) => tag('Lovable', `<lov-${word}`)),
  tag('<file path>', '<file path=', named('file-path')),
  tag('Plandex', '<PlandexBlock', named('plandex')),
  {
    name: 'Functionary v3.2', kind: 'foreign', certain: false, find: '>>>', hint: BLOCK_HINT,
    opens: (line, at) => /^\s*$/.test(line.slice(0, at)) && /^(?!all\b)[A-Za-z_][\w.]*[ \t]*$/.test(line.slice(at + 3)),
  },
  {
    name: 'Plandex', kind: 'foreign', certain: true, find: '<EndPlandexFileOps/>', opens: isFirst,
    hint: 'Move and delete each file above it by a hermes block: fs.moveFile, fs.deleteFile.',
  },
  // HTML also has this tag, but with text behind it.
  likely('smolagents', '<code>', firstBefore('<code>', /^[ \t]*$/), 'smolagents'),

  likely('ReAct', 'Action Input:', isFirst, 'react'),
  likely('ReAct', 'Action:', (line, at) => (
    line.slice(0, at).trim() === '' && /^\s*(?:[{`]|$)/.test(line.slice(at + 7))), 'react'),
  ...['name', 'tool', 'action', 'function', 'id', 'type'].map((key): Opener => ({
    ...likely(BARE, `{"${key}"`, opensObject, 'bare-json'), near: near(JSON_CALL), isInside: true,
  })),
  ...['@save(', '@append(', '@patch(', '@read(', '@shell(', '@ipython('].map((find) => (
    likely('gptme', find, firstBefore(find, /^[\w.:-]{1,200}\):/), 'gptme'))),
  {
    ...likely('pythonic', '[', (line, at) => isFirst(line, at) && PYTHON_CALL.test(line.slice(at)), 'pythonic'),
    near: beginsPython,
  },
  fence('```', 'gptme', /^(?:save|append|patch)[ \t]+\S/, 'foreign', named('gptme')),
  fence('```', 'Gemma', /^tool_code[ \t]*$/, 'foreign', named('tool-code')),
  fence('```', 'Cursor', /^\d+:\d+:\S/, 'foreign', {
    says: 'a citation as Cursor writes it: it shows lines of a file and changes nothing',
  }),
  fence('```', 'mini-swe-agent', /^mswea_bash_command[ \t]*$/, 'foreign', {
    certain: true, ...named('mini-swe-agent'),
  }),
]

function edit(name: string, find: string, rest: RegExp, ends?: string): Opener {
  return {
    name, kind: 'foreign', certain: false, find, hint: BLOCK_HINT, ...(ends !== undefined && { ends }),
    opens: firstBefore(find, rest),
  }
}

/**
 * Openers of the enabled edit formats, for text that is not read: behind a cut-off block, or where reading stopped.
 * Excluded are `whole`, which begins like any fence, and diffs without `diff --git`, which are recognised by two lines.
 */
export const EDIT_OPENERS: Readonly<Record<EditFormat, readonly Opener[]>> = {
  'search-replace': [5, 6, 7, 8, 9].map((count) => (
    edit('SEARCH/REPLACE', `${'<'.repeat(count)} SEARCH`, /^(?:>?[ \t]*$|[ \t:]+\S)/, '>>>>> REPLACE'))),
  v4a: [edit('V4A', '*** Begin Patch', /^[ \t]*$/, '*** End Patch')],
  unified: [edit('unified diff', 'diff --git ', /^\S/)],
  whole: [],
}
