import type { ActionResult, ExecutionResult, ParseError } from '../../0-contracts/src/index.js'
import { actionWords, subjectOfResult } from './called.js'
import { fencesAsText, type FencesFound } from './nothing-found.js'
import { lineRange, plural } from './quantities.js'
import { oneLine, safeLines } from './safe-text.js'
import { sourceExcerpt } from './source-excerpt.js'
import { subjectOf } from './subject.js'
import { failedHooks, tallyOf } from './tally.js'

/** `key = "value"`, `key: value`, `"key": "value"`, and what is nearly one of them: the block did not parse. */
const ASSIGNMENT = /(?<![\w.-])["']?([A-Za-z_]\w{0,40})["']?[ \t]*(?::[ \t]*=|=|:)[ \t]*(?:"((?:[^"\\\n]|\\.){0,400})"|'([^'\n]{0,400})'|\u201c([^\u201d\n]{0,400})\u201d|([\w./~@-][^\n,}"']{0,400}))/g
/** Below it stands text of several lines, which may assign anything. */
const TEXT_BELOW = /<<|:[ \t]*[|>][-+\d]*[ \t]*$/m
/** How the formats call what runs. */
const VERBS = ['action', 'verb', 'name', 'tool', 'function']

/** Indentation of all text from files, models and commands, at which nothing is live. */
export const INDENT = '    '

/** Closing tags of thought and repeated-input sections; the list is in `1-reading`, and a test compares both. */
const THOUGHT_END = String.raw`<\/(?:think|thinking|reasoning|thought|antThinking|scratchpad|scratch_pad|seed:think)>`
  + String.raw`|\[\/THINK\]|<\|END_THINKING\|>|◁\/think▷`
const INPUT_END = String.raw`<\/(?:tool_response|function_results|tool_result|documents?)>`
const FIRST_END = new RegExp(`^(\\s*)(?=${THOUGHT_END}|${INPUT_END})`)
const LAST_END = new RegExp(`(${THOUGHT_END})\\s*$`)

/**
 * Makes a line inert: closing tags of sections first or last on it could change what is live, and an id or path, which
 * is not indented, may contain anything.
 */
export function inert(line: string): string {
  return (line.startsWith(INDENT) ? line : withoutOpeners(line)).replace(FIRST_END, '$1| ').replace(LAST_END, '$1 |')
}

function withoutOpeners(line: string): string {
  return line.replace(/<(?=\S)/g, '< ').replace(/&(?=lt;)/g, '& ').replace(/[#＃][\s#]*[!！]+/g, '#')
    .replace(/(SHAM|NESL)\s*\[/gi, '$1 (').replace(/\[(?=[A-Z_]+\])/g, '[ ')
    .replace(/`{2,}/g, "''").replace(/~{3,}/g, '~~')
}

/** Counts blocks by outcome. */
export function countLine(result: ExecutionResult, fences: FencesFound | undefined): string {
  const { total, succeeded, failed, unparsed, skipped, otherErrors } = tallyOf(result)
  if (total === 0 && !otherErrors) {
    if (result.fatalError !== undefined) return 'No block was run.'
    const message = skipped === 0 ? 'No blocks found.' : `No live blocks found; ${skipped} skipped.`
    return [message, ...fencesAsText(fences)].join(' ')
  }
  const hooks = failedHooks(result).length
  const others = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unparsed > 0 ? [`${unparsed} did not parse`] : []),
    ...(otherErrors ? [plural(result.parseErrors.length, 'parse error')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(hooks > 0 ? [`${plural(hooks, 'hook')} failed`] : []),
  ]
  const count = [doneWords(succeeded, total, result.dryRun), ...others].join(', ')
  return result.dryRun ? `${count}. This was a dry run: nothing was changed, no command was started.` : `${count}.`
}

function doneWords(succeeded: number, total: number, dryRun = false): string {
  if (total === 0) return 'No live blocks'
  const verb = dryRun ? 'would succeed' : 'succeeded'
  if (succeeded < total) return `${succeeded} of ${plural(total, 'block')} ${verb}`
  return total === 1 ? `The block ${verb}` : `All ${plural(total, 'block')} ${verb}`
}

/** A failure and what to do about it, without output. */
export function failureFrame(result: ActionResult, all: readonly ActionResult[]): string[] {
  const { code, error, hint } = result
  return [
    blockLine('FAILED', result),
    `${INDENT}${coded(code, error)}`,
    ...hintLines(hint),
    ...sameFile(result, all),
  ]
}

/** Verdict, name and subject of a block. */
export function blockLine(verdict: string, result: ActionResult): string {
  const { blockId, startLine, endLine } = result
  const what = [oneLine(actionWords(result), 80), subjectOfResult(result)].filter(part => part !== '').join(' ')
  const place = lineRange(startLine, endLine)
  return `${verdict} block ${oneLine(blockId, 40)} (${place})${what === '' ? '' : `: ${what}`}`
}

const MOST_NAMED = 20

/** Which other changes to the same file succeeded, so that only the failed one is sent again. */
function sameFile(result: ActionResult, all: readonly ActionResult[]): string[] {
  const params = paramsOf(result)
  const { path } = params
  if (typeof path !== 'string' || !('old_text' in params)) return []
  const others = all.filter((each) => each.success && each.seq !== result.seq && paramsOf(each)['path'] === path)
  if (others.length === 0) return []
  const names = others.slice(0, MOST_NAMED).map(({ blockId }) => oneLine(blockId, 40)).join(', ')
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : ''
  return [`${INDENT}Of the same file succeeded: ${names}${more}.`]
}

/** Parameters of the call that ran. */
function paramsOf({ params, ranAs }: ActionResult): Record<string, unknown> {
  return ranAs?.[0]?.params ?? params
}

/** Prefixes the code, unless the message starts with one, as those of the system do. */
function coded(code = 'FAILED', error = 'failed'): string {
  const message = oneLine(error, 1000)
  return message.startsWith(`${code}:`) || message.endsWith(`(${code})`) ? message : `${oneLine(code)}: ${message}`
}

/** A parse error, without its fix. */
export function parseErrorFrame(parseError: ParseError, index: number, all: readonly ParseError[]): string[] {
  const { blockId, error } = parseError
  const above = all[index - 1]
  // Errors of one block often share a hint.
  const isSaid = above?.startLine === parseError.startLine && above.error.hint === error.hint
  const block = blockId === undefined ? '' : ` block ${oneLine(blockId, 40)}`
  const what = above?.startLine === parseError.startLine ? '' : faultyCall(parseError.source)
  const head = `NOT PARSED${block} at line ${error.line}, column ${error.column}`
  return [
    what === '' ? head : `${head}: ${what}`,
    `${INDENT}${oneLine(error.code)}: ${oneLine(error.message, 1000)}`,
    ...sourceExcerpt(parseError).map(line => `${INDENT}| ${line}`),
    ...(isSaid ? [] : hintLines(error.hint)),
  ]
}

export function hintLines(hint: string | undefined): string[] {
  return hint === undefined ? [] : labelled('Hint', safeLines(hint, 2000))
}

export function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${INDENT}${index === 0 ? `${label}: ` : '  '}${line}`)
}

/** Which verb a block that did not parse was to call, about what, as far as its text tells. */
function faultyCall(source: string): string {
  const text = source.slice(0, TEXT_BELOW.exec(source)?.index ?? source.length)
  const params: Record<string, string> = {}
  for (const [, key = '', ...values] of text.matchAll(ASSIGNMENT)) {
    const value = values.find((each) => each !== undefined) ?? ''
    if (!Object.hasOwn(params, key) && key !== '__proto__') params[key] = value.trim()
  }
  const verb = VERBS.map((name) => (Object.hasOwn(params, name) ? params[name] : undefined))
    .find((value) => value !== undefined && /^[\w.-]{2,60}$/.test(value)) ?? ''
  return [verb, subjectOf(params)].filter((part) => part !== '').join(' ')
}
