import {
  formatsOf, HermesError, type ActionResult, type Fix, type HermesOptions, type ModelResponse, type ParsedBlock,
  type ParseError, type SkippedBlock,
} from '../../0-contracts/src/index.js'
import { linesWithBreaks } from '../../0-text/src/index.js'
import { answerText, editResponse, putFixes, readEvents, readResponseEvents } from '../../1-reading/src/index.js'

/** A live block of an answer: one that parsed, or what kept it from that. */
export interface AnswerBlock {
  block?: ParsedBlock
  errors: readonly ParseError[]
  blockId: string | undefined
  startLine: number
  endLine: number
  /** No other block has one of its lines. */
  isAlone: boolean
}

/** An answer, taken apart as a run takes it apart. */
export interface Answer {
  /** What runs: a text, or a response that was read out of one. */
  given: string | ModelResponse
  text: string
  lines: readonly string[]
  blocks: readonly AnswerBlock[]
  skipped: readonly SkippedBlock[]
  /** Errors that are of no block. */
  problems: readonly ParseError[]
}

export type ReadOptions = Pick<HermesOptions, 'editFormats' | 'startsInThink' | 'toolsets'>

/** Pure. Lines keep their line breaks. */
export function readAnswer(given: string | ModelResponse, options: ReadOptions): Answer {
  // As the executor has it by default.
  const scan = { editFormats: formatsOf(options), startsInThink: options.startsInThink ?? false }
  const [text, events] = typeof given === 'string' ? [given, readEvents(given, scan)]
    : [answerText(given), readResponseEvents(given, scan)]
  const blocks: Omit<AnswerBlock, 'isAlone'>[] = []
  const skipped: SkippedBlock[] = []
  const problems: ParseError[] = []
  for (const event of events) {
    if (event.type === 'block') {
      const { id: blockId, startLine, endLine } = event.block
      blocks.push({ block: event.block, errors: [], blockId, startLine, endLine })
    } else if (event.type === 'failed') {
      const { blockId, startLine, endLine, errors } = event
      blocks.push({ errors, blockId, startLine, endLine })
    } else if (event.type === 'skipped') skipped.push(event.block)
    else if (event.type === 'section-error') problems.push(...event.errors)
    else if (blocks.length > 0) problems.push(event.error)
  }
  return { given, text, lines: linesWithBreaks(text), blocks: withNeighbours(blocks), skipped, problems }
}

function withNeighbours(blocks: readonly Omit<AnswerBlock, 'isAlone'>[]): AnswerBlock[] {
  return blocks.map((one, at) => {
    const [before, after] = [blocks[at - 1], blocks[at + 1]]
    return { ...one, isAlone: (before?.endLine ?? 0) < one.startLine && (after?.startLine ?? Infinity) > one.endLine }
  })
}

/** The block's own lines, without the last line break. */
export function sourceOf({ lines }: Answer, { startLine, endLine }: AnswerBlock): string {
  return lines.slice(startLine - 1, endLine).join('').replace(/\r?\n$/, '')
}

/**
 * The block's own lines with the fixes of its errors in place, and that of what it would come to.
 *
 * @param result of a look at the answer; the block may stand on other lines since
 * @returns `undefined` where there is none, or none that is of these lines alone
 */
export function mendedSource(
  answer: Answer, block: AnswerBlock, result: Pick<ActionResult, 'fix' | 'startLine'> | undefined,
): string | undefined {
  const { startLine, endLine, errors } = block
  const fixes = [
    ...errors.flatMap(({ error: { fix } }) => (fix ? [onLines(fix, 1 - startLine)] : [])),
    ...(result?.fix ? [onLines(result.fix, 1 - result.startLine)] : []),
  ].filter(({ fix }) => fix.startLine >= 1 && fix.endLine <= endLine - startLine + 1)
  return fixes.length === 0 ? undefined : putFixes(sourceOf(answer, block), fixes).text
}

function onLines({ startLine, endLine, text }: Fix, shift: number): { fix: Fix } {
  return { fix: { startLine: startLine + shift, endLine: endLine + shift, text } }
}

/**
 * The answer with another text in place of a block. Everything else has to be read as before: an edit that reaches into
 * other blocks (an unclosed heredoc, say) would run what nobody has looked at.
 *
 * @throws HermesError `INVALID_PARAMETER` with what is wrong with the edit
 */
export function editBlock(answer: Answer, at: number, text: string, options: ReadOptions): Answer {
  const old = answer.blocks[at]
  if (!old?.isAlone) {
    throw refused('This block cannot be edited here: it shares a line with another', 'Edit the answer itself.')
  }
  const ending = /\r?\n$/.exec(answer.lines[old.endLine - 1] ?? '')?.[0] ?? ''
  const edited = readAnswer(withLines(answer, old, text, ending), options)
  const shift = edited.lines.length - answer.lines.length
  const [head, tail] = [answer.blocks.slice(0, at), answer.blocks.slice(at + 1)]
  const inside = edited.blocks.slice(at, edited.blocks.length - tail.length)
  const isSame = sameBlocks(head, edited.blocks.slice(0, at), 0)
    && sameBlocks(tail, edited.blocks.slice(Math.max(at, edited.blocks.length - tail.length)), shift)
    && sameQuotes(answer, edited, old.endLine, shift)
  if (edited.blocks.length < answer.blocks.length && isSame) {
    throw refused('It holds no block any more', 'Leave it out by its tick, or revert the edit.')
  }
  if (!isSame) throw refused(
    'The edit changes how the text around the block is read',
    'Close what the block opens, and keep its id apart from those of others.',
  )
  const [only, ...more] = inside
  if (!only || more.length > 0) {
    throw refused(`It holds ${inside.length} blocks`, 'Keep one; each other block is edited in its own place.')
  }
  if (only.startLine < old.startLine || only.endLine > old.endLine + shift) {
    throw refused('The block reaches beyond its place', 'Close what it opens.')
  }
  return edited
}

function withLines({ given, lines }: Answer, old: AnswerBlock, text: string, ending: string): Answer['given'] {
  if (typeof given === 'string') {
    return [...lines.slice(0, old.startLine - 1), text, ending, ...lines.slice(old.endLine)].join('')
  }
  const edited = editResponse(given, old, `${text}${ending.replace('\n', '')}`)
  if (edited) return edited
  throw refused('It is no call any more', 'Write it as one <tool_call>, or leave it out by its tick.')
}

function sameBlocks(old: readonly AnswerBlock[], now: readonly AnswerBlock[], shift: number): boolean {
  return old.length === now.length && old.every((block, index) => {
    const other = now[index]
    return other !== undefined && block.startLine + shift === other.startLine && block.endLine + shift === other.endLine
      && block.blockId === other.blockId && block.errors.length === other.errors.length
      && JSON.stringify(callOf(block)) === JSON.stringify(callOf(other))
  })
}

function callOf({ block, errors }: AnswerBlock): unknown {
  return block ? [block.action, block.format, block.params] : errors.map(({ error }) => error.code)
}

/** Errors and quotes outside of the block are where they were. */
function sameQuotes(old: Answer, now: Answer, endLine: number, shift: number): boolean {
  const placed = (list: readonly { startLine: number }[], by: number) => (
    list.map(({ startLine }) => startLine + (startLine > endLine ? by : 0)).join()
  )
  return placed(old.skipped, shift) === placed(now.skipped, 0)
    && placed(old.problems, shift) === placed(now.problems, 0)
}

function refused(message: string, hint: string): HermesError {
  return new HermesError('INVALID_PARAMETER', message, { hint })
}
