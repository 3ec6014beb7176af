import { isRecord } from '../../../../0-contracts/src/index.js'
import type { ResultRule } from '../../../../2-mapping/src/index.js'
import type { RecordedOutcome, RecordedResult, TranscriptFormat } from '../../../../2-transcripts/src/index.js'
import type { ReplayOutcome } from '../replay-model.js'
import type { Normalizer } from './normalizer.js'
import { parsedJson } from './parsed-json.js'
import { exitCodeIn, recordedExit, type RecordedExit } from './recorded-exit.js'

export interface Comparison {
  outcome: ReplayOutcome
  expected?: string
  actual?: string
}

export interface Compared {
  recorded: RecordedResult | undefined
  actual: RecordedOutcome
  /** Result rule of a call that was mapped. */
  rule: ResultRule | undefined
  format: TranscriptFormat
  /** The command that the block ran, if it ran one. */
  command?: string | undefined
}

const MOST_TEXT = 4096
/** How harnesses and programs begin when something went wrong. */
const BEGINS = /^\W*(?:an? )?(?:\w*error|\w*exception|traceback|fatal|fail(?:ed|ure)|cannot|can't|could not|unable|invalid|denied|aborted|cancelled|timed? ?out|no such|not found|no replacement)\b/i
const HOLDS = /(?:no such file|permission denied|command not found|is not recognized|does(?: not|n't) exist|not found|timed out|exit(?:ed with)?(?: code| status)?:? [1-9]\d*|exit_code['"]?: [1-9])/i

/** Holds what came of a block against what was recorded of it. */
export function compare({ recorded, actual, rule, format, command }: Compared, normalizer: Normalizer): Comparison {
  if (!recorded || recorded.isUnknown) return { outcome: 'unrecorded' }
  if (recorded.outcome && !rule) {
    return judge(
      recorded.outcome.success, actual.success, outcomeText(recorded.outcome, normalizer),
      outcomeText(actual, normalizer),
    )
  }
  const text = rule?.textOf(actual.data)
  const code = exitCodeIn(actual.data)
  const isCommand = code !== undefined || (isRecord(actual.data) && 'stdout' in actual.data)
  const exit = rule && isCommand ? recordedExit(recorded.text, recorded.isError) : undefined
  const told = exit ? exit.code !== 0 : recorded.isError ?? rule?.failed(recorded.text)
  const isAnswer = recorded.isError === false && !exit && code === 1 && command !== undefined
    && rule?.answersByCode(command) === true
  const succeeds = actual.success || isAnswer
  // Without data there is no output to compare: the command did not run.
  if (text !== undefined && (actual.success || actual.data !== undefined)) {
    const [expected = '', now = ''] = [exit?.rest ?? rule?.unwrap(recorded.text) ?? '', text]
      .map((line) => normalizer.text(line, true).trimEnd())
    const didSucceed = told === undefined ? succeeds : !told
    const isSameEnd = didSucceed === succeeds && isSameCode(exit, code)
    return isSameEnd ? judge(true, true, expected, now)
      : judge(didSucceed, succeeds, withEnd(expected, exit?.code, didSucceed), withEnd(now, code, succeeds))
  }
  const failed = told ?? (format === 'anthropic' && recorded.text !== '' ? false : undefined)
  if (failed === undefined) {
    if (actual.success) return { outcome: 'unrecorded' }
    // A command that printed something then did not even start now. For other calls, having a result means that it
    // worked, unless the text tells of a failure.
    if (text === undefined && tellsFailure(recorded.text)) return { outcome: 'unrecorded' }
    return judge(true, false, shown(recorded, normalizer), outcomeText(actual, normalizer))
  }
  if (failed === !actual.success && isSameCode(exit, code)) return { outcome: 'same' }
  return judge(!failed, actual.success, shown(recorded, normalizer), outcomeText(actual, normalizer))
}

/**
 * Whether a result that a harness recorded in its own words may be about a failure. Where it may, a call that fails now
 * is no drift that anybody could be sure of.
 */
function tellsFailure(text: string): boolean {
  const beginning = text.slice(0, MOST_TEXT)
  const object = text.length <= MOST_TEXT && /^\s*\{/.test(text) ? parsedJson(text) : undefined
  if (isRecord(object)) {
    return ['success', 'ok', 'succeeded'].some((name) => object[name] === false) || object['status'] === 'error'
      || Boolean(object['error'])
  }
  return BEGINS.test(beginning) || HOLDS.test(beginning)
}

/** What is not known of one of both is no difference. */
function isSameCode(recorded: RecordedExit | undefined, now: number | undefined): boolean {
  return recorded === undefined || now === undefined || recorded.code === now
}

function withEnd(text: string, code: number | undefined, succeeds: boolean): string {
  const end = code === undefined ? `(${succeeds ? 'succeeded' : 'failed'})` : `(exit code ${code})`
  return text === '' ? end : `${text}\n${end}`
}

function judge(didSucceed: boolean, succeeds: boolean, expected: string, actual: string): Comparison {
  if (didSucceed !== succeeds) return { outcome: succeeds ? 'newly passing' : 'newly failing', expected, actual }
  return expected === actual ? { outcome: 'same' } : { outcome: 'changed', expected, actual }
}

function shown({ text }: RecordedResult, normalizer: Normalizer): string {
  return normalizer.text(text, true).trimEnd()
}

/**
 * A result as lines that can be compared and shown side by side: a line a field, texts of several lines a line each.
 * Hints are left out: they advise, and their words may change.
 */
function outcomeText({ success, code, error, data }: RecordedOutcome, normalizer: Normalizer): string {
  return fieldLines('', normalizer.value({
    success, ...(code !== undefined && { code }), ...(error !== undefined && { error }),
    ...(data !== undefined && { data }),
  })).join('\n')
}

function fieldLines(path: string, value: unknown): string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    return [`${path}:`, ...value.split('\n').map((line) => `  | ${line}`)]
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}: []`]
      : value.flatMap((item: unknown, index) => fieldLines(`${path}[${index}]`, item))
  }
  if (!isRecord(value)) return [`${path}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
  const names = Object.keys(value).sort()
  if (names.length === 0 && path !== '') return [`${path}: {}`]
  return names.flatMap((name) => fieldLines(path === '' ? name : `${path}.${name}`, value[name]))
}
