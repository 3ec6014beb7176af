import type { ActionResult, FileChange, HookResult, ParseError, SkippedBlock } from '../../0-contracts/src/index.js'
import {
  actionWords, commandOutput, fileOfCall, fixLines, subjectOfResult, whatChanged,
} from '../../1-reports/src/index.js'
import { printableJson } from '../../0-text/src/index.js'
import type { PageItem, PageText } from './run-page-model.js'
import { pageChange } from './page-change.js'

/** The key of a block's card: by its place among the blocks that parsed, 1-based. */
export function blockKey(seq: number): string {
  return `b${seq}`
}

/**
 * The card of a block that ran.
 *
 * @param changes what it did to files; with texts where its diffs are to be shown
 * @param roots paths below them are shown relative
 */
export function resultItem(
  result: ActionResult, changes: readonly FileChange[] | undefined, roots: readonly string[] = [],
): PageItem {
  const { seq, blockId, success, error, code, startLine, endLine, durationMs } = result
  const output = commandOutput(result)
  const outcome = success ? whatChanged(result, changes, roots) : ''
  const returned = success ? returnedText(result, changes ?? []) : undefined
  // By what a failed block counts to a file.
  const file = success ? undefined : fileOfCall(result.params, roots)
  return {
    key: blockKey(seq), state: success ? 'succeeded' : 'failed', blockId, action: actionWords(result),
    subject: subjectOfResult(result, roots), startLine, endLine,
    durationMs, ...(outcome !== '' && { outcome }), ...(code !== undefined && { code }),
    ...(error !== undefined && { error }),
    ...hintOf(result), changes: (changes ?? []).map((change) => pageChange(change, roots)),
    ...(output && { output }), ...(!output && returned && { result: returned }),
    ...(file !== undefined && { file }),
  }
}

/** What a verb returned besides what it changed: content that was read, or whatever it is as JSON. */
function returnedText({ data, params }: ActionResult, changes: readonly FileChange[]): PageText | undefined {
  if (changes.length > 0 || data === undefined || data === null) return undefined
  if (typeof data !== 'object') return { text: String(data) }
  const { content, path } = data as Record<string, unknown>
  const named = [path, params['path']].find((each) => typeof each === 'string')
  if (typeof content === 'string') return { text: content, ...(named !== undefined && { path: named as string }) }
  return Object.keys(data).length === 0 ? undefined : { text: printableJson(data), path: 'result.json' }
}

/** The card of an error in the text. @param index among the errors, from 0 */
export function errorItem({ blockId, startLine, endLine, source, error }: ParseError, index: number): PageItem {
  const { code, message, line, column, length } = error
  return {
    key: `e${index + 1}`, state: 'unparsed', ...(blockId !== undefined && { blockId }), subject: '', startLine, endLine,
    code, error: message, ...hintOf(error), place: { line, column, length }, source, changes: [],
  }
}

/** With what to write, where that is known. */
function hintOf(said: Pick<ActionResult, 'hint' | 'fix'>): { hint?: string } {
  const hint = [said.hint ?? [], fixLines(said)].flat().join('\n')
  return hint === '' ? {} : { hint }
}

/** The card of something quoted. @param index among those skipped, from 0 */
export function skippedItem({ blockId, startLine, endLine, reason }: SkippedBlock, index: number): PageItem {
  return {
    key: `s${index + 1}`, state: 'skipped', ...(blockId !== undefined && { blockId }), subject: '', startLine, endLine,
    reason, changes: [],
  }
}

/** The card of a hook that ran or, in a dry run, would. */
export function hookItem(hook: HookResult): PageItem {
  const {
    seq, name, on, by, command, success, ignored, planned, paths, blocks, changed, exitCode, output, error, code, hint,
    durationMs,
  } = hook
  const outcome = [
    ...(planned ? ['would run'] : []), ...(changed ? [`changed ${changed.join(', ')}`] : []),
    ...(ignored ? ['its failure counts for nothing (continue_on_error)'] : []),
  ].join('; ')
  return {
    key: `h${seq}`, state: planned ? 'pending' : success ? 'succeeded' : 'failed', action: `hook ${name}`,
    subject: command, startLine: 0, endLine: 0,
    ...(!planned && { durationMs }), ...(outcome !== '' && { outcome }), ...(code !== undefined && { code }),
    ...(error !== undefined && { error }), ...(hint !== undefined && { hint }), changes: [],
    ...((output !== '' || exitCode !== undefined)
      && { output: { stdout: output, stderr: '', exitCode: exitCode ?? null } }),
    hook: { on, by, ...(ignored && { ignored }), ...(paths && { paths }), ...(blocks && { blocks }) },
  }
}
