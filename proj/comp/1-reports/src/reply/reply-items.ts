import {
  isRecord, type ActionResult, type ExecutionResult, type HookResult, type ParseError,
} from '../../../0-contracts/src/index.js'
import { blockLine, failureFrame, hintLines, INDENT, labelled, parseErrorFrame } from '../block-frames.js'
import { commandOutput } from '../command-output.js'
import { hookFrame } from '../feedback-hooks.js'
import { fixLines, isFixInHint } from '../fix-lines.js'
import { linesOf, oneLine } from '../safe-text.js'
import { contentsOf, linesContent, type Content } from './contents.js'
import { contentLine, frameLines, MARK, type Lines } from './reply-lines.js'
import { toleranceLines, withoutTolerance } from './tolerance.js'

/**
 * Kinds of items, in the order in which they get room: a failure, a command, a file changed by a hook, something read,
 * or just done.
 */
export type ItemKind = 'failure' | 'command' | 'change' | 'read' | 'done'

/** The part of a reply about one block or hook. */
export interface ReplyItem {
  kind: ItemKind
  /** Name, used where there is no room for more. */
  name: string
  /** Forms of the text, from the longest to the shortest. */
  forms: readonly Lines[]
  contents: readonly Content[]
}

/** What a reply shows of each block besides its result. */
export interface ItemOptions {
  /** The answer, to show corrected blocks in full. */
  text?: string | undefined
  /** File with a call's complete result. */
  wholeIn?(result: ActionResult): string | undefined
}

/** Blocks in order, then failed hooks, then changes by hooks. */
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

/** Files changed by hooks that no item shows; none where all was rolled back. */
export function changesNotShown(
  { hooks = [], rolledBack }: ExecutionResult,
): Pick<HookResult, 'name' | 'changed'>[] {
  if (rolledBack !== undefined) return rolledBack === 'partly' ? hooks : []
  return hooks.map(({ name, changed = [], diffs = [] }) => ({
    name, changed: changed.filter((path) => !diffs.some((diff) => diff.path === path)),
  }))
}

/** The present state of a successful block. */
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
    // Lines of a block in an earlier answer do not belong to this one.
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

/** Contents to show; the model already knows what it wrote itself. */
function contentsOfResult(result: ActionResult, { wholeIn }: ItemOptions): Content[] {
  const contents = contentsOf(result.success ? withoutTolerance(result) : withoutSaid(result), wholeIn?.(result))
  const { params: { return_output: returned }, written } = result
  if (result.success && String(returned) === 'false') return contents.filter(({ lines }) => lines.length === 0)
  // The lines that were actually written, where they differ from the block's.
  return written === undefined ? contents : [...contents, diffContent(written.diff)]
}

/** Data of a failure without what its message already says. */
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
  parseError: ParseError, index: number, all: readonly ParseError[], answer: readonly string[] | undefined,
): ReplyItem {
  const frame = parseErrorFrame(parseError, index, all)
  const mended = mendedOf(
    { ...parseError, shown: parseError.source }, parseError.error, parseError.runId === undefined ? answer : undefined,
  )
  // The fix of a block's first error (of at most three) covers them all.
  const isMended = all.slice(Math.max(0, index - 2), index).some(({ startLine, error: { fix } }) => (
    startLine === parseError.startLine && fix !== undefined && fix.startLine <= parseError.error.line
    && fix.endLine >= parseError.error.line
  ))
  return {
    kind: 'failure', name: parseError.blockId ?? `line ${parseError.startLine}`, contents: [],
    forms: formsOf(isMended ? frame.slice(0, 2) : frame, mended, parseError.error),
  }
}

function hookItem(hook: HookResult): ReplyItem {
  const lines = linesOf(hook.output)
  return {
    kind: 'failure', name: `hook ${hook.name}`, forms: formsOf(hookFrame(hook), [], {}),
    contents: lines.length === 0 ? [] : [{ ...linesContent(lines, 'end'), title: 'output' }],
  }
}

/** How files differ from what the blocks wrote, because of a hook. */
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
  // Keep a CR at the end of a diff's line, which is significant.
  return linesContent(diff.split('\n'), 'start', () => ' Read the file before you edit it again.')
}

/** Most lines of a failure where room is short; a hint may contain a passage of the file. */
const FEWER_LINES = [14, 6] as const

/** Forms: with the corrected block; without it; with less of the hint; only the error. */
function formsOf(
  frame: readonly string[], mended: readonly string[], { fix, hint }: Pick<ParseError['error'], 'fix' | 'hint'>,
): Lines[] {
  const fewer = FEWER_LINES.filter((count) => count < frame.length)
    .map((count) => frameLines([...frame.slice(0, count), `${INDENT}…`]))
  const forms = [frameLines(frame), ...fewer, frameLines(frame.slice(0, 2)), ...clipped(frame)]
  if (mended.length === 0) return forms
  // The corrected block shows the wrong line, and may repeat the hint.
  const isInHint = fix !== undefined && hint !== undefined && isFixInHint(fix, hint)
  const shown = mended[0] === MENDED && isInHint ? hintLines(hint) : []
  const said = mended[0] === MENDED ? frame.filter((line) => !line.startsWith(MARK) && !shown.includes(line)) : frame
  return [frameLines([...said, ...mended]), ...forms]
}

/** Most characters of an error in its shortest form, so that it fits before contents. */
const SHORT_ERROR = 160

function clipped([head = '', error = '']: readonly string[]): Lines[] {
  const start = error.slice(0, SHORT_ERROR).toWellFormed().trimEnd()
  return error.length <= SHORT_ERROR ? [] : [frameLines([head, `${start}…`])]
}

const MENDED = `${INDENT}Mended; send it so, without the marks:`

/** Longest block to show in full, in UTF-16 units; of longer ones only the fix. */
const LONGEST_MENDED = 1600

/** Mark in place of a secret, which the answer itself still contains. */
const MASKED = /\[masked \w+\]/

/**
 * The corrected block, if the answer is available and the block short; else what to write where.
 *
 * @param block `shown`: its text in the result, secrets masked
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
