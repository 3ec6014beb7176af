import type { ModelResponse, ParsedBlock, ParseError, ReadFormat } from '../../../0-contracts/src/index.js'
import { parse, parseResponse, unreadFormats } from '../../../1-reading/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'

/**
 * A call appended to a text to test for its end: it is live only outside of every fence, block, comment and think
 * section.
 */
const PROBE = 'probe_of_the_end'
const PROBE_CALL = `\n\n<tool_call>{"name": "${PROBE}", "arguments": {}}</tool_call>\n`
/** Beginning of an envelope without a fence. */
const BARE = /^\s*(?:---[ \t]*\n\s*)?(?:[{[]|["']?verb["']?\s*:)/

export interface Submission {
  /** What runs: a bare envelope is put into a fence; a saved response of a model's API is read as one. */
  answer: string | ModelResponse
  blocks: readonly ParsedBlock[]
  /** Whether there are blocks or errors, so something to run or report. */
  hasAny: boolean
  /** Parse errors, except of a block whose end may still come. */
  errors: readonly ParseError[]
  /** Whether the text ends inside a block, fence, comment or think section, which the next line would continue. */
  isOpen: boolean
  /** Whether it is a streamed response: an empty line ends one event, and more may follow. */
  isStream: boolean
}

/** Reads the input so far. Pure. @param offersUnread also count likely blocks of disabled formats */
export function readSubmission(
  given: string, editFormats: readonly ReadFormat[] = [], offersUnread = false,
): Submission {
  const response = readResponse(given)
  if (response) {
    const { blocks, errors, skipped } = parseResponse(response, { editFormats })
    const isOpen = response.isCutOff === true
    const hasAny = blocks.length + errors.length + skipped.length > 0
    return { answer: response, blocks, errors, hasAny, isOpen, isStream: !/^\s*[{[]/.test(given) }
  }
  const text = inFence(given)
  const { blocks, errors, skipped } = parse(text, { editFormats })
  const probed = parse(`${text}${PROBE_CALL}`, { editFormats })
  const isOpen = probed.blocks.at(-1)?.action !== PROBE || errors.some((error) => isUnended(error, text))
  // The fence that we added is closed, so an envelope's error may only mean that it is incomplete.
  const isPart = text !== given && errors.length > 0
  const isOffered = offersUnread && unreadFormats({ errors, skipped }).length > 0
  const hasAny = blocks.length + errors.length > 0 || isOffered
  const final = isPart ? [] : errors.filter((error) => error.error.fix !== undefined || !isUnended(error, text))
  return { answer: text, blocks, errors: final, hasAny, isOpen: isOpen || isPart, isStream: false }
}

/**
 * Whether an error concerns a block whose end is still to come, which reaches to the end of the text. Anything below it
 * would end it.
 */
function isUnended({ endLine, error }: ParseError, text: string): boolean {
  return UNENDED.has(error.code) && endLine >= text.trimEnd().split('\n').length
}

/** Codes of possibly unfinished blocks; after a nearly valid header its body may follow. */
const UNENDED: ReadonlySet<string> = new Set(['UNCLOSED_BLOCK', 'UNCLOSED_HEREDOC', 'MALFORMED_HEADER'])

/** Puts a bare envelope into a fence. */
function inFence(given: string): string {
  if (!BARE.test(given)) return given
  const { blocks, errors, skipped } = parse(given)
  if (blocks.length + errors.length + skipped.length > 0 && !/^\s*[{[]/.test(given)) return given
  if (blocks.length > 0) return given
  const longest = Math.max(2, ...[...given.matchAll(/~+/g)].map(([run]) => run.length))
  const fence = '~'.repeat(longest + 1)
  return `${fence}${/^\s*[{[]/.test(given) ? 'json' : 'yaml'} hermes\n${given.trimEnd()}\n${fence}\n`
}
