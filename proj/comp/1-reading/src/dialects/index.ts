import type { ReadFormat } from '../../../0-contracts/src/index.js'
import type { CallForm, Dialect, FenceForm, Wrapper } from './dialect.js'
import { ELEMENT_DIALECTS } from './element-dialects.js'
import { FENCE_DIALECTS } from './fence-dialects.js'
import { JSON_DIALECTS } from './json-dialects.js'
import { LINE_DIALECTS } from './line-dialects.js'
import { TAG_DIALECTS } from './tag-dialects.js'

export { TOOLS_IN_TAGS } from './element-dialects.js'
export type {
  CallForm, CallKeys, CallWriting, Dialect, ElementsForm, FenceForm, JsonForm, PythonForm, TagForm, ToolListing,
  Wrapper,
} from './dialect.js'

export const DIALECTS: readonly Dialect[] = [
  ...ELEMENT_DIALECTS, ...JSON_DIALECTS, ...TAG_DIALECTS, ...FENCE_DIALECTS, ...LINE_DIALECTS,
]

/** Those that are read without being named. */
export const BY_RULE: readonly Dialect[] = DIALECTS.filter(({ named }) => named === undefined)

/** A sentinel of a dialect, with its wrapper or the forms it may open. */
export interface DialectOpener {
  dialect: Dialect
  text: string
  wrapper?: Wrapper
  forms: readonly CallForm[]
}

/** By the two characters they begin with, or the one that they are. */
const OPENERS_BY_RULE = new Map<string, DialectOpener[]>()
/** The same of dialects that are read where they are named. */
const OPENERS_BY_NAME = new Map<string, DialectOpener[]>()
/** What `<tool_call>` may open besides JSON: only its content tells. */
const TOOL_CALL_OPENERS: DialectOpener[] = []

for (const dialect of DIALECTS) {
  for (const wrapper of dialect.wrappers) add({ dialect, text: wrapper.open, wrapper, forms: dialect.forms })
  for (const text of new Set(dialect.forms.map(({ opens }) => opens))) {
    if (text !== '') add({ dialect, text, forms: dialect.forms.filter(({ opens }) => opens === text) })
  }
}

/** What openers begin with. */
const [FIRST_BY_RULE, FIRST_BY_NAME] = [OPENERS_BY_RULE, OPENERS_BY_NAME].map((openers) => (
  new Set([...openers.keys()].map((start) => start.charCodeAt(0)))))

function add(opener: DialectOpener): void {
  if (opener.text === '<tool_call>') {
    TOOL_CALL_OPENERS.push(opener)
    return
  }
  const openers = opener.dialect.named ? OPENERS_BY_NAME : OPENERS_BY_RULE
  const start = opener.text.slice(0, 2)
  openers.set(start, [...openers.get(start) ?? [], opener])
}

/**
 * The opener of a call that stands at `at`; not `<tool_call>`, whose content tells what it is. What follows is the
 * beginning of a call or nothing, so that a word about it opens nothing.
 *
 * @param not dialects that are none of it
 */
export function dialectAt(
  text: string, at: number, end: number, formats: ReadonlySet<ReadFormat>, not: readonly Dialect[] = [],
): DialectOpener | undefined {
  const code = text.charCodeAt(at)
  if (FIRST_BY_RULE!.has(code)) {
    for (const opener of OPENERS_BY_RULE.get(text.slice(at, at + 2)) ?? []) {
      if (!text.startsWith(opener.text, at)) continue
      const rest = text.slice(at + opener.text.length, Math.min(end, at + opener.text.length + 300))
      if (opener.wrapper ? BEHIND_WRAPPER.test(rest) : behindSentinel(opener.text).test(rest)) return opener
    }
  }
  if (formats.size === 0 || !FIRST_BY_NAME!.has(code)) return undefined
  for (const start of [text.slice(at, at + 2), text.charAt(at)]) {
    for (const opener of OPENERS_BY_NAME.get(start) ?? []) {
      if (not.includes(opener.dialect) || !text.startsWith(opener.text, at)) continue
      const forms = opener.forms.filter((form) => isRead(opener.dialect, form, formats))
      if (forms.length > 0 && opensNamed({ ...opener, forms }, text, at, end)) return { ...opener, forms }
    }
  }
  return undefined
}

/** A fence that is a call. */
export interface DialectFence {
  dialect: Dialect
  form: FenceForm
  /** What its info string says besides the language. */
  rest: string
}

/** The call that a fence with this info string is, where its dialect is read. */
export function dialectOfFence(
  language: string, info: string, formats: ReadonlySet<ReadFormat>,
): DialectFence | undefined {
  const rest = info.slice(language.length).trim()
  for (const dialect of FENCE_DIALECTS) {
    const form = dialect.fences?.find((each) => (
      each.languages.includes(language) && (each.rest === undefined) === (rest === '')
        && isRead(dialect, each, formats)))
    if (form) return { dialect, form, rest }
  }
  return undefined
}

/** Whether a dialect is read of which an answer holds one call. */
export function readsOneCall(formats: ReadonlySet<ReadFormat>): boolean {
  return FENCE_DIALECTS.some(({ isSingle, named }) => isSingle && named !== undefined && formats.has(named))
}

/** Openers that only their lines tell from prose, of the dialects that are read. */
export function lineOpeners(formats: ReadonlySet<ReadFormat>): readonly string[] {
  const forms = LINE_DIALECTS.flatMap((dialect) => dialect.forms.filter((form) => isRead(dialect, form, formats)))
  return [...new Set(forms.map(({ opens }) => opens))]
}

/** Whether calls of this form are read: by rule, where the dialect is named, or by `auto` where they run no command. */
export function isRead(
  { named }: Dialect, { isCommand }: Pick<CallForm, 'isCommand'>, formats: ReadonlySet<ReadFormat>,
): boolean {
  return named === undefined || formats.has(named) || (formats.has('auto') && !isCommand)
}

/** What opens a named one may stand in any text: with its whole tag, and for JSON with the list's beginning. */
function opensNamed({ text, forms }: DialectOpener, source: string, at: number, end: number): boolean {
  const line = source.slice(at, Math.min(end, at + LONGEST_TAG))
  if (text.endsWith('>')) return /^[ \t]*(?:<|$)/.test(line.slice(text.length))
  return forms.some(({ begins, head }) => {
    const pattern = begins ?? head
    pattern.lastIndex = 0
    return pattern.test(line)
  })
}

const LONGEST_TAG = 2000

const BEHIND_WRAPPER = /^[ \t]*(?:[<[{]|$)/

function behindSentinel(text: string): RegExp {
  return text.endsWith('=') ? /^["\w]/ : /^[ \t]*(?:[[{<]|[A-Za-z_][\w.:-]*[ \t]*(?:[[{(:<]|$)|$)/
}

/** The dialect of a `<tool_call>` by what its content begins with; `undefined` for an object and anything else. */
export function dialectOfToolCall(content: string): DialectOpener | undefined {
  if (content.startsWith('<function=')) return TOOL_CALL_OPENERS.find(({ wrapper }) => wrapper)
  const kind = /^[A-Za-z_][\w.-]*[ \t]*(?:<|$)/.test(content) ? 'elements'
    : /^\[[ \t]*(?:\{|\r?\n|$)/.test(content) ? 'json' : undefined
  return TOOL_CALL_OPENERS.find(({ wrapper, forms }) => !wrapper && forms[0]?.kind === kind)
}
