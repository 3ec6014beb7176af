import { BY_RULE } from '../dialects/index.js'

/** Tokens with which models end a turn; `TOKENS` also has those around calls. */
const TURN_ENDS = [
  '<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>', '<|return|>', '<｜end▁of▁sentence｜>',
]
const AROUND_CALLS = BY_RULE.flatMap(({ wrappers, forms }) => [
  ...wrappers.flatMap(({ open, close }) => [open, close]),
  ...forms.flatMap((form) => ('closes' in form ? [form.opens, ...form.closes] : [])),
])
/** Excluded is what may also end code, such as `functools`. */
const TOKENS = [...new Set(['<tool_call>', '</tool_call>', ...TURN_ENDS, ...AROUND_CALLS])]
  .filter((token) => /^(?:<.*>|\[.*\])$/.test(token) && token !== '</function>')
/** Tags that files may contain too: they count only where nothing opens them. */
const STRAY_CLOSERS = ['</parameter>', '</function>', '</arg_value>']
const ENDS_OF_CALLS = [...TOKENS.filter((token) => !TURN_ENDS.includes(token)), ...STRAY_CLOSERS]
/** Most white space behind the token, in UTF-16 units. */
const MOST_BLANKS = 1000

/** Files that may be about such tokens. */
const PROSE = /\.(?:md|markdown|mdx|txt|text|rst|adoc|jinja2?|j2|tmpl|prompt)$/i

/**
 * The token of a call or turn at the very end of a file's text, which is most likely part of the call that wrote the
 * file. A text for people that shows the token earlier is about such tokens, and may end with one.
 */
export function leakedEnd(path: string, text: string): string | undefined {
  const end = text.slice(-MOST_BLANKS).trimEnd()
  const token = TOKENS.find((ending) => end.endsWith(ending))
    ?? STRAY_CLOSERS.find((ending) => end.endsWith(ending) && !text.includes(`<${ending.slice(2, -1)}`))
  if (token === undefined || !PROSE.test(path)) return token
  const before = withoutEndOfCall(text.slice(0, text.lastIndexOf(token)))
  return TOKENS.some((sign) => before.includes(sign)) ? undefined : token
}

/** The text without trailing end tokens: a call ends in several, and the last ones prove nothing. */
function withoutEndOfCall(text: string): string {
  let rest = text.trimEnd()
  for (;;) {
    const token = ENDS_OF_CALLS.find((closer) => rest.endsWith(closer))
    if (token === undefined) return rest
    rest = rest.slice(0, -token.length).trimEnd()
  }
}
