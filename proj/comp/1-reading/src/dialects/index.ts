import type { ReadFormat } from '../../../0-contracts/src/index.js'
import type { CallForm, Dialect, FenceForm, Wrapper } from './dialect.js'
import { ELEMENT_DIALECTS } from './element-dialects.js'
import { FENCE_DIALECTS } from './fence-dialects.js'
import { JSON_DIALECTS } from './json-dialects.js'
import { LINE_DIALECTS } from './line-dialects.js'
import { TAG_DIALECTS } from './tag-dialects.js'
import { addTo } from '../../../0-text/src/index.js'

export { TOOLS_IN_TAGS } from './element-dialects.js'
export type {
  CallForm, CallKeys, CallWriting, Dialect, ElementsForm, JsonForm, PythonForm, TagForm, Wrapper,
} from './dialect.js'

export const DIALECTS: readonly Dialect[] = [
  ...ELEMENT_DIALECTS, ...JSON_DIALECTS, ...TAG_DIALECTS, ...FENCE_DIALECTS, ...LINE_DIALECTS,
]

/** Dialects that are always read. */
export const BY_RULE: readonly Dialect[] = DIALECTS.filter(({ named }) => named === undefined)

/** Names of what is always read; `hermes` is `<tool_call>`. */
export const NAMES_BY_RULE: readonly string[] = ['hermes', ...BY_RULE.map(({ name }) => name)]

/** A sentinel of a dialect, with the wrapper or the forms that it opens. */
export interface DialectOpener {
  dialect: Dialect
  text: string
  wrapper?: Wrapper
  forms: readonly CallForm[]
}

/** Openers by their first two characters, or by the only one. */
const OPENERS_BY_RULE = new Map<string, DialectOpener[]>()
/** The same for dialects that are read only where enabled by name. */
const OPENERS_BY_NAME = new Map<string, DialectOpener[]>()
/** Forms that begin with `<tool_call>`; what they are depends on the content. */
const TOOL_CALL_OPENERS: DialectOpener[] = []

for (const dialect of DIALECTS) {
  for (const wrapper of dialect.wrappers) add({ dialect, text: wrapper.open, wrapper, forms: dialect.forms })
  for (const text of new Set(dialect.forms.map(({ opens }) => opens))) {
    if (text !== '') add({ dialect, text, forms: dialect.forms.filter(({ opens }) => opens === text) })
  }
}

/** First characters of openers. */
const [FIRST_BY_RULE, FIRST_BY_NAME] = [OPENERS_BY_RULE, OPENERS_BY_NAME].map((openers) => (
  new Set([...openers.keys()].map((start) => start.charCodeAt(0)))))

function add(opener: DialectOpener): void {
  if (opener.text === '<tool_call>') {
    TOOL_CALL_OPENERS.push(opener)
    return
  }
  const openers = opener.dialect.named ? OPENERS_BY_NAME : OPENERS_BY_RULE
  addTo(openers, opener.text.slice(0, 2), opener)
}

/**
 * The opener of a call at `at`; not `<tool_call>`, whose content must decide. Only matches where a call or nothing
 * follows, so that mentioning the opener in prose opens nothing.
 *
 * @param not dialects to exclude
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
  /** The info string without the language. */
  rest: string
}

/** The call that a fence with this info string is, if its dialect is read. */
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

/** Whether a dialect is read that allows one call in an answer. */
export function readsOneCall(formats: ReadonlySet<ReadFormat>): boolean {
  return FENCE_DIALECTS.some(({ isSingle, named }) => isSingle && named !== undefined && formats.has(named))
}

/** Openers of the read dialects that also occur in prose, so that only their lines can decide. */
export function lineOpeners(formats: ReadonlySet<ReadFormat>): readonly string[] {
  const forms = LINE_DIALECTS.flatMap((dialect) => dialect.forms.filter((form) => isRead(dialect, form, formats)))
  return [...new Set(forms.map(({ opens }) => opens))]
}

/**
 * Whether calls of this form are read: always, where the dialect is enabled, or by `auto` where they run no command.
 */
export function isRead(
  { named }: Dialect, { isCommand }: Pick<CallForm, 'isCommand'>, formats: ReadonlySet<ReadFormat>,
): boolean {
  return named === undefined || formats.has(named) || (formats.has('auto') && !isCommand)
}

/**
 * Whether an opener of a dialect enabled by name really opens a call: it needs the whole tag, or for JSON the start of
 * the list.
 */
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

/** The dialect of a `<tool_call>` by the beginning of its content; `undefined` for an object and anything else. */
export function dialectOfToolCall(content: string): DialectOpener | undefined {
  if (content.startsWith('<function=')) return TOOL_CALL_OPENERS.find(({ wrapper }) => wrapper)
  const kind = /^[A-Za-z_][\w.-]*[ \t]*(?:<|$)/.test(content) ? 'elements'
    : /^\[[ \t]*(?:\{|\r?\n|$)/.test(content) ? 'json' : undefined
  return TOOL_CALL_OPENERS.find(({ wrapper, forms }) => !wrapper && forms[0]?.kind === kind)
}
