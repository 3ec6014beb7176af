import type {
  ActionResult, ExecutionResult, HookResult, ParseError, Rewrite, SkippedBlock,
} from '../../0-contracts/src/index.js'
import { actionWords, subjectOfResult } from './called.js'
import { commandOutput } from './command-output.js'
import { fileOfCall } from './file-of-call.js'
import { fixLines } from './fix-lines.js'
import { lineRange, plural, seconds } from './quantities.js'
import { rewriteLine } from './rewrites.js'
import { rolledBackLine } from './rolled-back.js'
import { oneLine, safeLines, tail } from './safe-text.js'
import { failedHooks, tallyOf } from './tally.js'
import { whatChanged } from './what-changed.js'
import { addTo } from '../../0-text/src/index.js'

const OUTPUT_LINES = 200

/**
 * A report to keep: counts, a table of all blocks, blocks by file, then each failure, parse error, command and skipped
 * block.
 *
 * @param reply to the model, as from `renderReply`; put last
 */
export function renderMarkdownReport(result: ExecutionResult, { reply }: { reply?: string } = {}): string {
  const { total, succeeded, failed, unparsed, skipped } = tallyOf(result)
  const hooks = failedHooks(result).length
  const sections = [
    '# hermes report',
    [
      `- ${result.success ? 'Succeeded' : 'Failed'}: ${succeeded} of ${plural(total, 'block')} succeeded, `
        + `${failed} failed, ${unparsed} did not parse, ${skipped} `
        + `skipped${hooks > 0 ? `, ${plural(hooks, 'hook')} failed` : ''}`,
      `- Took ${seconds(result.durationMs)}`,
      ...(result.gitCommit === undefined ? [] : [`- Commit: ${code(result.gitCommit)}`]),
      ...rolledBackLine(result).map((line) => `- ${line}`),
      ...(result.rewrites ?? []).map((rewrite) => `- Answer: ${code(rewriteLine(rewrite))}`),
      ...(result.warnings ?? []).map(warning => `- Note: ${code(warning)}`),
      ...(result.fatalError === undefined ? [] : [`- Stopped: ${code(result.fatalError)}`]),
    ].join('\n'),
    ...section('Blocks', result.results.length === 0 ? [] : [table(result.results)]),
    ...section('Files', files(result.results)),
    ...section('Failures', result.results.filter(({ success }) => !success).map(failure)),
    ...section('Parse errors', result.parseErrors.map(parseError)),
    ...section('Hooks', (result.hooks ?? []).map(hookSection)),
    ...section('Rewritten', (result.rewrites ?? []).map(rewriteSection)),
    ...section('Command output', result.results.filter(candidate => candidate.success).flatMap(commandSection)),
    ...section('Skipped', result.skipped.length === 0 ? [] : [result.skipped.map(skippedItem).join('\n')]),
    ...section('To hand back to the model', reply === undefined ? [] : [fence(reply.trimEnd().split('\n'))]),
  ]
  return `${sections.join('\n\n')}\n`
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts]
}

function table(results: readonly ActionResult[]): string {
  const rows = results.map(result => [
    result.success ? '✓' : '✗', code(result.blockId), code(actionWords(result)), code(subjectOfResult(result)),
    result.success ? code(whatChanged(result)) : code(result.code ?? 'failed'),
    lineRange(result.startLine, result.endLine), seconds(result.durationMs),
  ])
  const lines = [['', 'block', 'action', 'subject', 'result', 'where', 'time'], Array<string>(7).fill('---'), ...rows]
  return lines.map(row => `| ${row.join(' | ')} |`).join('\n')
}

/** Blocks by file, for files with several. */
function files(results: readonly ActionResult[]): string[] {
  const byFile = new Map<string, ActionResult[]>()
  for (const result of results) {
    const file = fileOfCall(result.params)
    if (file !== undefined) addTo(byFile, file, result)
  }
  if (![...byFile.values()].some((ofFile) => ofFile.length > 1)) return []
  return [[...byFile].map(([file, ofFile]) => (
    `- ${code(file)}: ${ofFile.map(({ success, blockId }) => `${success ? '✓' : '✗'} ${code(blockId)}`).join(', ')}`
  )).join('\n')]
}

function failure(result: ActionResult): string {
  const { blockId, error, hint, code: name } = result
  return [
    `### ${code(blockId)} ${code(actionWords(result))}`,
    `${name === undefined ? '' : `${code(name)}: `}${code(error ?? 'failed')}`,
    ...(hint === undefined ? [] : [`Hint:\n\n${fence(safeLines(hint, 2000))}`]),
    ...fixPart(result),
    ...outputs(result),
  ].join('\n\n')
}

function fixPart(said: Pick<ActionResult, 'fix' | 'hint'>): string[] {
  const fix = fixLines(said)
  return fix.length > 0 ? [`Fix:\n\n${fence(fix)}`] : []
}

function parseError({ blockId, source, error }: ParseError): string {
  return [
    `### ${blockId === undefined ? '' : `${code(blockId)} at `}line ${error.line}, column ${error.column}`,
    `${code(error.code)}: ${code(error.message)}`,
    ...(error.hint === undefined ? [] : [`Hint:\n\n${fence(safeLines(error.hint, 2000))}`]),
    ...fixPart(error),
    fence(safeLines(source, 2000)),
  ].join('\n\n')
}

function hookSection(
  { name, on, command, success, planned, ignored, code: kind, error, hint, changed, output, durationMs }: HookResult,
): string {
  const state = planned ? 'would run' : success ? '✓' : ignored ? 'failed, which is ignored' : '✗'
  return [
    `### ${code(name)} ${code(on)}`,
    `${state} ${code(command)}${planned ? '' : `, ${seconds(durationMs)}`}`,
    ...(error === undefined ? [] : [`${kind === undefined ? '' : `${code(kind)}: `}${code(error)}`]),
    ...(changed === undefined ? [] : [`Changed: ${changed.map((path) => code(path)).join(', ')}`]),
    ...(hint === undefined ? [] : [`Hint:\n\n${fence(safeLines(hint, 2000))}`]),
    ...(output === '' ? [] : [fence(tail(output, OUTPUT_LINES).lines)]),
  ].join('\n\n')
}

function rewriteSection(rewrite: Rewrite): string {
  const { before, after, diff } = rewrite
  return [
    `### ${code(rewriteLine(rewrite))}`, `SHA-256 before: ${code(before)}, after: ${code(after)}`,
    ...(diff === '' ? [] : [fence(diffLines(diff))]),
  ].join('\n\n')
}

function diffLines(diff: string): string[] {
  const lines = safeLines(diff, 2000)
  if (lines.length <= OUTPUT_LINES) return lines
  return [...lines.slice(0, OUTPUT_LINES), `… ${plural(lines.length - OUTPUT_LINES, 'more line')}`]
}

function commandSection(result: ActionResult): string[] {
  const parts = outputs(result)
  const title = `### ${code(result.blockId)} ${code(subjectOfResult(result))}`
  return parts.length === 0 ? [] : [[title, ...parts].join('\n\n')]
}

function outputs(result: ActionResult): string[] {
  const output = commandOutput(result)
  if (!output) return []
  return (['stdout', 'stderr'] as const).flatMap(name => {
    const { lines, omitted } = tail(output[name], OUTPUT_LINES, 2000)
    if (lines.length === 0) return []
    return [`${name}${omitted > 0 ? ` (${plural(omitted, 'line')} before left out)` : ''}:\n\n${fence(lines)}`]
  })
}

function skippedItem({ blockId, startLine, endLine, reason }: SkippedBlock): string {
  const name = blockId === undefined ? '' : `${code(blockId)}, `
  return `- ${name}${lineRange(startLine, endLine)}: ${code(reason)}`
}

/** A code span that its text cannot break out of, even in a table. */
function code(text: string): string {
  const safe = oneLine(text).replaceAll('|', '\\|')
  if (safe === '') return ''
  const ticks = '`'.repeat(longestRun(safe) + 1)
  const pad = safe.startsWith('`') || safe.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${safe}${pad}${ticks}`
}

/** A fence in a language that is never live, longer than any fence inside. */
function fence(lines: readonly string[]): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return `${ticks}text\n${lines.join('\n')}\n${ticks}`
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))
}
