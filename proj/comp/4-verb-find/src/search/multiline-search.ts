import { setImmediate as nextTurn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { checkSignal } from '../../../2-files/src/index.js'
import { invalidAsWritten } from './line-matcher.js'
import { lineExcerpt } from './cut-line.js'
import { encodingOf } from './lines-at.js'
import type { FileSearch, SearchRequest } from './search-request.js'
import { withUnicodeClasses } from './unicode-classes.js'

/** Finds start and end of the first match from an index on. */
type Find = (text: string, from: number) => readonly [start: number, end: number] | undefined

/**
 * Makes a search for matches that may span lines. It reads whole files, up to the size limit. CRLF counts as LF. Of
 * several matches on a line only the first is reported.
 *
 * @throws HermesError `INVALID_PARAMETER` for an invalid regular expression; the search throws `FILE_TOO_LARGE`,
 * `CANCELLED`, and Node's errors
 */
export async function multilineSearch(
  request: SearchRequest, { files, limits, signal }: Pick<VerbContext, 'files' | 'limits' | 'signal'>,
): Promise<FileSearch> {
  const find = await compileFind(request)
  return async (file, onMatch) => {
    // Yield, so that an abort can arrive.
    await nextTurn()
    checkSignal(signal)
    const bytes = files.readBytes(file, limits.maxFileBytes)
    const text = withLineFeeds(new TextDecoder(encodingOf(bytes)).decode(bytes))
    if (text.includes('\0')) return false
    let line = 1
    let from = 0
    while (from < text.length) {
      const [start, end] = find(text, from) ?? []
      // After the last line break there is no line.
      if (start === undefined || end === undefined || (start === text.length && text.endsWith('\n'))) break
      line += countBreaks(text, from, start)
      const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
      // A line break at the end of the match belongs to its last line.
      const last = Math.max(start, end - 1)
      const endLine = line + countBreaks(text, start, last)
      const next = text.indexOf('\n', last)
      const lineEnd = next === -1 ? text.length : next
      const match = {
        line, column: start - lineStart + 1, ...(endLine > line && { endLine }),
        text: lineExcerpt(text.slice(lineStart, lineEnd), start - lineStart),
      }
      if (!onMatch(match)) return true
      line = endLine + 1
      from = lineEnd + 1
    }
    return true
  }
}

async function compileFind({ query, isRegex, caseSensitive }: SearchRequest): Promise<Find> {
  const wanted = withLineFeeds(query)
  if (!isRegex && caseSensitive) {
    return (text, from) => {
      const at = text.indexOf(wanted, from)
      return at === -1 ? undefined : [at, at + wanted.length]
    }
  }
  const { RE2JS } = await import('re2js')
  const flags = RE2JS.MULTILINE | (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  return invalidAsWritten(() => {
    if (isRegex) RE2JS.compile(query)
    const regex = RE2JS.compile(isRegex ? withUnicodeClasses(feedEscapes(query)) : RE2JS.quote(wanted), flags)
    return (text, from) => {
      const matcher = regex.matcher(text)
      return matcher.find(from) ? [matcher.start(), matcher.end()] : undefined
    }
  })
}

/** An expression for ripgrep that finds all files with a match, perhaps more; `undefined` where there is none. */
export function sieveExpression({ query, isRegex }: SearchRequest): string | undefined {
  const wanted = withLineFeeds(query)
  if (!isRegex) return wanted.split('\n').map(escapeExpression).join(LINE_BREAK)
  let inBrackets = false
  let isLossy = false
  const expression = feedEscapes(wanted).replace(/\\[^]|\[:\^?\w+:\]|\[\^?\]?|\]|\n/g, (token) => {
    if (token !== '\n' && token !== String.raw`\n`) {
      if (!token.startsWith('\\') && !token.startsWith('[:')) inBrackets = token !== ']'
      return token
    }
    // A character class matches one character, but a line break may be two.
    if (inBrackets) isLossy = true
    return LINE_BREAK
  })
  return isLossy ? undefined : expression
}

const LINE_BREAK = String.raw`(?:\r?\n)`

/** Normalises line breaks to LF. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The same for escapes in an expression. */
function feedEscapes(regex: string): string {
  return regex.replace(/\\r\??\\n|\\[^]/g, (token) => (token.startsWith(String.raw`\r`) && token.length > 2
    ? String.raw`\n` : token))
}

function escapeExpression(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, String.raw`\$&`)
}
