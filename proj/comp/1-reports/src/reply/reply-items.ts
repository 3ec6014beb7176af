import {
  isRecord, type ActionResult, type ExecutionResult, type HookResult, type ParseError,
} from '../../../0-contracts/src/index.js'
import { blockLine, failureFrame, hintLines, INDENT, labelled, parseErrorFrame } from '../block-frames.js'
import { commandOutput } from '../command-output.js'
import { hookFrame } from '../feedback-hooks.js'
import { fixLines, isFixInHint } from '../fix-lines.js'
import { linesOf, oneLine } from '../safe-text.js'
import { contentsOf, type Content } from './contents.js'
import { contentLine, frameLines, MARK, type Lines } from './reply-lines.js'
import { toleranceLines, withoutTolerance } from './tolerance.js'

/**
 * What a failure, a command, a file that a hook changed, something read, or no more than that it is done. In the order
 * in which they get room.
 */
export type ItemKind = 'failure' | 'command' | 'change' | 'read' | 'done'

/** What a reply says of one block, or of one hook. */
export interface ReplyItem {
  kind: ItemKind
  /** How it is named where there is no room for more. */
  name: string
  /** What is said of it, from the longest to the shortest. */
  forms: readonly Lines[]
  contents: readonly Content[]
}

export interface ItemOptions {
  /** The answer, so that a block with a fix is shown whole as it is meant. */
  text?: string
  /** Where all of what a call gave is kept. */
  wholeIn?(result: ActionResult): string | undefined
}

/** Blocks in their order, then hooks that failed, then what hooks changed. */
export function itemsOf(result: ExecutionResult, options: ItemOptions): ReplyItem[] {
  const { results, parseErrors, hooks = [] } = result
  const answer = options.text === undefined ? undefined : options.text.split(/\r?\n/)
  const items = [
    ...results.map((each) => ({ line: each.startLine, item: resultItem(each, result, answer, options) })),
    ...parseErrors.map((each, index) => ({
      line: each.startLine, item: parseErrorItem(each, index, parseErrors, answer),
    })),
  ]
  return [
    ...items.sort((a, b) => a.line - b.line).map(({ item }) => item),
    ...hooks.filter(({ success }) => !success).map(hookItem),
    ...(result.rolledBack === undefined ? hooks.flatMap(changeItems) : []),
  ]
}

/** Files that hooks changed and that no item shows; none where all was put back. */
export function changesNotShown(
  { hooks = [], rolledBack }: ExecutionResult,
): Pick<HookResult, 'name' | 'changed'>[] {
  if (rolledBack !== undefined) return rolledBack === 'partly' ? hooks : []
  return hooks.map(({ name, changed = [], diffs = [] }) => ({
    name, changed: changed.filter((path) => !diffs.some((diff) => diff.path === path)),
  }))
}

/** What is true now of a block that succeeded. */
export function doneWord({ rolledBack, dryRun }: ExecutionResult): string {
  if (dryRun) return 'WOULD BE DONE'
  return rolledBack === undefined ? 'DONE' : 'PUT BACK'
}

function resultItem(
  result: ActionResult, run: ExecutionResult, answer: readonly string[] | undefined, options: ItemOptions,
): ReplyItem {
  const name = result.blockId
  const isBefore = result.runId !== undefined
  const contents = isBefore ? [] : contentsOfResult(result, options)
  if (!result.success) {
    const frame = failureFrame(result, run.results)
    // The lines of a block of an answer before are none of this one.
    const shown = JSON.stringify(result.params)
    const mended = mendedOf({ ...result, shown }, result, isBefore ? undefined : answer)
    return { kind: 'failure', name, contents, forms: formsOf(frame, mended, result) }
  }
  if (isBefore) return { kind: 'done', name, contents, forms: [frameLines([blockLine('DONE before,', result)])] }
  const frame = [
    blockLine(result.warned ? 'WARNING: done, but look at' : doneWord(run), result),
    ...toleranceLines(result), ...hintLines(result.hint),
  ]
  const kind = result.hint !== undefined ? 'command' : commandOutput(result) ? 'command'
    : contents.length > 0 ? 'read' : 'done'
  return { kind, name, contents, forms: [frameLines(frame), frameLines(frame.slice(0, 1))] }
}

/** Of what was only written the model knows all. */
function contentsOfResult(result: ActionResult, { wholeIn }: ItemOptions): Content[] {
  const contents = contentsOf(result.success ? withoutTolerance(result) : withoutSaid(result), wholeIn?.(result))
  const { return_output: returned } = result.params
  if (!result.success || String(returned) !== 'false') return [...contents, ...writtenOf(result)]
  return contents.filter(({ lines }) => lines.length === 0)
}

/** The lines that are there now in place of those of the block. */
function writtenOf({ written }: ActionResult): Content[] {
  if (written === undefined) return []
  return [diffContent(written.diff)]
}

/** A failure's data may list what failed: what the failure says itself is not said of a hunk again. */
function withoutSaid(result: ActionResult): ActionResult {
  const { data, error = '', hint = '' } = result
  if (!isRecord(data)) return result
  const isSaid = (value: unknown): boolean => typeof value === 'string' && value !== ''
    && (error.endsWith(value) || hint === value)
  const without = (item: unknown): unknown => (
    isRecord(item) ? Object.fromEntries(Object.entries(item).filter(([, value]) => !isSaid(value))) : item
  )
  const fields = Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.map(without) : value])
  return { ...result, data: Object.fromEntries(fields) as Record<string, unknown> }
}

function parseErrorItem(
  found: ParseError, index: number, all: readonly ParseError[], answer: readonly string[] | undefined,
): ReplyItem {
  const frame = parseErrorFrame(found, index, all)
  const mended = mendedOf(
    { ...found, shown: found.source }, found.error, found.runId === undefined ? answer : undefined,
  )
  // The fix of the first error of a block, which has three at most, is one of them all.
  const isMended = all.slice(Math.max(0, index - 2), index).some(({ startLine, error: { fix } }) => (
    startLine === found.startLine && fix !== undefined && fix.startLine <= found.error.line
    && fix.endLine >= found.error.line
  ))
  return {
    kind: 'failure', name: found.blockId ?? `line ${found.startLine}`, contents: [],
    forms: formsOf(isMended ? frame.slice(0, 2) : frame, mended, found.error),
  }
}

function hookItem(hook: HookResult): ReplyItem {
  const lines = linesOf(hook.output)
  const output: Content = {
    title: 'output', lines, keeps: 'end',
    omission: (from, to) => [`${to - from + 1} of ${lines.length} lines left out.`],
  }
  return {
    kind: 'failure', name: `hook ${hook.name}`, forms: formsOf(hookFrame(hook), [], {}),
    contents: lines.length === 0 ? [] : [output],
  }
}

/** How the files are no longer as the blocks wrote them. */
function changeItems({ name, diffs = [] }: HookResult): ReplyItem[] {
  return diffs.map(({ path, diff, truncated }) => ({
    kind: 'change', name: path,
    forms: [frameLines([
      `CHANGED after the blocks by the hook ${oneLine(name, 40)}: ${oneLine(path, 160)}`,
      ...(truncated ? [`${INDENT}Not all of it is here: read the file before you edit it again.`] : []),
    ])],
    contents: [diffContent(diff)],
  }))
}

function diffContent(diff: string): Content {
  // The lines of a diff may end in CR, which counts.
  const lines = diff.split('\n')
  return {
    lines, keeps: 'start',
    omission: (from, to) => [
      `${to - from + 1} of ${lines.length} lines left out. Read the file before you edit it again.`,
    ],
  }
}

/** Lines of a failure where there is little room: a hint may hold a passage of the file. */
const FEWER_LINES = [14, 6] as const

/** With the mended block; without it; with less of the hint; and what went wrong alone. */
function formsOf(
  frame: readonly string[], mended: readonly string[], { fix, hint }: Pick<ParseError['error'], 'fix' | 'hint'>,
): Lines[] {
  const fewer = FEWER_LINES.filter((count) => count < frame.length)
    .map((count) => frameLines([...frame.slice(0, count), `${INDENT}…`]))
  const forms = [frameLines(frame), ...fewer, frameLines(frame.slice(0, 2)), ...clipped(frame)]
  if (mended.length === 0) return forms
  // The mended block shows the line that is wrong, and may be what the hint says too.
  const isInHint = fix !== undefined && hint !== undefined && isFixInHint(fix, hint)
  const shown = mended[0] === MENDED && isInHint ? hintLines(hint) : []
  const said = mended[0] === MENDED ? frame.filter((line) => !line.startsWith(MARK) && !shown.includes(line)) : frame
  return [frameLines([...said, ...mended]), ...forms]
}

/** Of an error as long as a file's start the first words, so that it has room before what was read. */
const SHORT_ERROR = 160

function clipped([head = '', error = '']: readonly string[]): Lines[] {
  const start = error.slice(0, SHORT_ERROR).toWellFormed().trimEnd()
  return error.length <= SHORT_ERROR ? [] : [frameLines([head, `${start}…`])]
}

const MENDED = `${INDENT}Mended; send it so, without the marks:`

/** Longer blocks are not shown whole, in UTF-16 units: their fix is. */
const LONGEST_MENDED = 1600

/** In place of a secret: the answer itself still has it. */
const MASKED = /\[masked \w+\]/

/**
 * The block as it is meant, where the answer is at hand and the block short; else what to write where.
 *
 * @param block `shown`: what the result keeps of it, secrets masked
 */
function mendedOf(
  { startLine, endLine, shown }: Pick<ParseError, 'startLine' | 'endLine'> & { shown: string },
  said: Pick<ParseError['error'], 'fix' | 'hint'>, answer: readonly string[] | undefined,
): string[] {
  const { fix } = said
  if (fix === undefined) return []
  const isWithin = fix.startLine >= startLine && fix.endLine <= endLine
  const lines = isWithin && !MASKED.test(shown) && answer !== undefined ? [
    ...answer.slice(startLine - 1, fix.startLine - 1), ...linesOf(fix.text), ...answer.slice(fix.endLine, endLine),
  ] : []
  if (lines.length === 0 || lines.join('\n').length > LONGEST_MENDED) return labelled('Fix', fixLines(said))
  return [MENDED, ...lines.map(contentLine)]
}
