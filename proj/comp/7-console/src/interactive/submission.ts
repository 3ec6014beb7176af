import type { ModelResponse, ParsedBlock, ParseError, ReadFormat } from '../../../0-contracts/src/index.js'
import { parse, parseResponse, unreadFormats } from '../../../1-reading/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'

/** A call that stands below a text. It is live only outside of every fence, block, comment and think section. */
const PROBE = 'probe_of_the_end'
const PROBE_CALL = `\n\n<tool_call>{"name": "${PROBE}", "arguments": {}}</tool_call>\n`
/** How an envelope without a fence begins. */
const BARE = /^\s*(?:---[ \t]*\n\s*)?(?:[{[]|["']?verb["']?\s*:)/

export interface Submission {
  /** What runs: a bare envelope stands in a fence there; a saved response of a model's interface is read as one. */
  answer: string | ModelResponse
  blocks: readonly ParsedBlock[]
  /** Errors and blocks: there is something to run or to tell of. */
  hasAny: boolean
  /** An error has a fix. */
  hasFix: boolean
  /** The text ends inside of a block, a fence, a comment or a think section: a next line belongs to it. */
  isOpen: boolean
  /** It is a stream of a response: an empty line ends an event, and more may follow what looks whole. */
  isStream: boolean
}

/** What has been given so far. Pure. @param offersUnread what is likely a block of a format that is off counts, too */
export function readSubmission(
  given: string, editFormats: readonly ReadFormat[] = [], offersUnread = false,
): Submission {
  const response = readResponse(given)
  if (response) {
    const { blocks, errors, skipped } = parseResponse(response, { editFormats })
    const isOpen = response.isCutOff === true
    const hasAny = blocks.length + errors.length + skipped.length > 0
    return { answer: response, blocks, hasAny, hasFix: false, isOpen, isStream: !/^\s*[{[]/.test(given) }
  }
  const text = inFence(given)
  const { blocks, errors, skipped } = parse(text, { editFormats })
  const probed = parse(`${text}${PROBE_CALL}`, { editFormats })
  const isOpen = probed.blocks.at(-1)?.action !== PROBE || errors.some((error) => isUnended(error, text))
  // An envelope in a fence of ours has its end, and may have an error only because it is not whole yet.
  const isPart = text !== given && errors.length > 0
  const isOffered = offersUnread && unreadFormats({ errors, skipped }).length > 0
  const hasAny = blocks.length + errors.length > 0 || isOffered
  const hasFix = errors.some(({ error }) => error.fix !== undefined)
  return { answer: text, blocks, hasAny, hasFix, isOpen: isOpen || isPart, isStream: false }
}

/** A block whose end is still to come: it goes on to the end of the text. What begins below would end it. */
function isUnended({ endLine, error }: ParseError, text: string): boolean {
  return UNENDED.has(error.code) && endLine >= text.trimEnd().split('\n').length
}

/** Of a header that nearly is one the body may follow. */
const UNENDED: ReadonlySet<string> = new Set(['UNCLOSED_BLOCK', 'UNCLOSED_HEREDOC', 'MALFORMED_HEADER'])

/** Seed 000 gives envelopes bare. */
function inFence(given: string): string {
  if (!BARE.test(given)) return given
  const { blocks, errors, skipped } = parse(given)
  if (blocks.length + errors.length + skipped.length > 0 && !/^\s*[{[]/.test(given)) return given
  if (blocks.length > 0) return given
  const longest = Math.max(2, ...[...given.matchAll(/~+/g)].map(([run]) => run.length))
  const fence = '~'.repeat(longest + 1)
  return `${fence}${/^\s*[{[]/.test(given) ? 'json' : 'yaml'} hermes\n${given.trimEnd()}\n${fence}\n`
}
