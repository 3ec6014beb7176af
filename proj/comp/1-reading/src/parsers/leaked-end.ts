import { BY_RULE } from '../dialects/index.js'

/** What models end their turn with; the rest is what stands around calls. */
const TURN_ENDS = [
  '<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>', '<|return|>', '<｜end▁of▁sentence｜>',
]
const AROUND_CALLS = BY_RULE.flatMap(({ wrappers, forms }) => [
  ...wrappers.flatMap(({ open, close }) => [open, close]),
  ...forms.flatMap((form) => ('closes' in form ? [form.opens, ...form.closes] : [])),
])
/** What may be the end of code as well, such as `functools`, is none. */
const TOKENS = [...new Set(['<tool_call>', '</tool_call>', ...TURN_ENDS, ...AROUND_CALLS])]
  .filter((token) => /^(?:<.*>|\[.*\])$/.test(token) && token !== '</function>')
/** Files may have these tags as well: here what counts is one that nothing opens. */
const STRAY_CLOSERS = ['</parameter>', '</function>', '</arg_value>']
const ENDS_OF_CALLS = [...TOKENS.filter((token) => !TURN_ENDS.includes(token)), ...STRAY_CLOSERS]
/** Blanks behind the token, in UTF-16 units: more are no end of a call. */
const MOST_BLANKS = 1000

/** Texts that may be about such tokens. */
const PROSE = /\.(?:md|markdown|mdx|txt|text|rst|adoc|jinja2?|j2|tmpl|prompt)$/i

/**
 * The token of a call or a turn in which the text of a file ends, with nothing but blanks behind it: part of the call
 * that wrote it, most likely. A text for readers that shows one before is about such tokens.
 */
export function leakedEnd(path: string, text: string): string | undefined {
  const end = text.slice(-MOST_BLANKS).trimEnd()
  const token = TOKENS.find((one) => end.endsWith(one))
    ?? STRAY_CLOSERS.find((one) => end.endsWith(one) && !text.includes(`<${one.slice(2, -1)}`))
  if (token === undefined || !PROSE.test(path)) return token
  const before = withoutEndOfCall(text.slice(0, text.lastIndexOf(token)))
  return TOKENS.some((one) => before.includes(one)) ? undefined : token
}

/** A call ends in several of them: none of them is what a text shows. */
function withoutEndOfCall(text: string): string {
  let rest = text.trimEnd()
  for (;;) {
    const token = ENDS_OF_CALLS.find((one) => rest.endsWith(one))
    if (token === undefined) return rest
    rest = rest.slice(0, -token.length).trimEnd()
  }
}
