import { caught, HermesError } from '../../../0-contracts/src/index.js'
import type { SearchRequest } from './search-request.js'
import { withUnicodeClasses } from './unicode-classes.js'

/** Returns where the first match in a line begins, or -1. */
export type LineMatcher = (line: string) => number

/** Length of the beginning of a line that is searched first: locating a match takes far longer than detecting one. */
const SHORT = 4096

/**
 * Compiles a matcher that runs in time linear to the line for any expression: RE2's automata do not backtrack.
 *
 * @throws HermesError `INVALID_PARAMETER`
 */
export async function compileMatcher({ query, isRegex, caseSensitive }: SearchRequest): Promise<LineMatcher> {
  if (!isRegex && caseSensitive) return (line) => line.indexOf(query)
  const { RE2JS } = await import('re2js')
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE
  return invalidAsWritten(() => {
    // Only for its error message, which should quote the expression as written.
    if (isRegex) RE2JS.compile(query)
    const pattern = isRegex ? withUnicodeClasses(query) : RE2JS.quote(query)
    const regex = RE2JS.compile(pattern, flags)
    const first = RE2JS.compile(`^(?:${pattern})`, flags)
    const later = RE2JS.compile(`^(?s:.)(?:${pattern})`, flags)
    const find = (text: string): number => {
      const matcher = regex.matcher(text)
      return matcher.find() ? matcher.start() : -1
    }
    const startsAt = (line: string, at: number): boolean =>
      at === 0 ? first.test(line) : later.test(line.slice(previous(line, at)))
    return (line) => {
      if (!regex.test(line)) return -1
      if (line.length <= SHORT) return find(line)
      const near = find(line.slice(0, SHORT))
      return near !== -1 && startsAt(line, near) ? near : find(line)
    }
  })
}

/** Runs `compile`. @throws HermesError `INVALID_PARAMETER` where RE2 rejects the expression */
export async function invalidAsWritten<T>(compile: () => T): Promise<T> {
  const { RE2JSSyntaxException } = await import('re2js')
  return caught(RE2JSSyntaxException, compile, (error) => {
    throw invalidRegex(problemOf(error))
  })
}

/**
 * Rejects nested repeats that multiply too far: both engines allow at most a thousand.
 *
 * @throws HermesError `INVALID_PARAMETER`
 */
export async function checkRepeats(query: string): Promise<void> {
  if (!/\{\d/.test(query)) return
  const { RE2JS, RE2JSSyntaxException } = await import('re2js')
  const problem = caught(RE2JSSyntaxException, () => void RE2JS.compile(query), problemOf)
  // Ignore other errors: ripgrep may accept the expression.
  if (problem?.includes('invalid repeat')) throw invalidRegex(problem)
}

function problemOf({ message }: Error): string {
  return message.replace(/^error parsing regexp: /, '')
}

/** Index of the character before a place. */
function previous(line: string, at: number): number {
  return at > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(line.slice(at - 2, at)) ? at - 2 : at - 1
}

export function invalidRegex(problem: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `search_files: query is not a valid regular expression: ${problem}`, {
    hint: 'Set regex to false to find the text as it is, or put \\ before characters that are meant themselves. '
      + 'Look-around and backreferences are not supported, nor more than 1000 repeats, also of repeats.',
  })
}
