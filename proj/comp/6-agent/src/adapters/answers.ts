import type { ActionResult, ExecutionResult, ParseError } from '../../../0-contracts/src/index.js'
import { tokensAtMost } from '../../../1-reports/src/index.js'
import { createRunId } from '../../../3-transaction/src/index.js'
import type { FunctionCall, Hermes } from '../../../5-executor/src/index.js'
import { createMasker, clip } from '../../../0-text/src/index.js'
import { checkDataBounds, type CallOptions, type DataBounds } from './call-options.js'
import { shorten } from './shorten.js'
import { calledVerb } from './tool-names.js'

/** The outcome of one call: the fields of a result that a model can use. `hermes replay` reads this form. */
export interface ToolAnswer {
  success: boolean
  /** One line a model can act on. */
  error?: string
  code?: string
  /** What to write instead, and other advice. */
  hint?: string
  /** The verb's result. */
  data?: unknown
}

/** A call of one response. */
export interface ResponseCall extends FunctionCall {
  /** Whether the response broke off within this call: it may be incomplete, so it never runs. */
  isCutOff?: boolean
}

/** Longest addition to a hint, in UTF-16 units. */
const MAX_NOTES = 2000

const CUT_OFF: ToolAnswer = {
  success: false,
  code: 'UNCLOSED_BLOCK',
  error: 'Not run: the response broke off in this call',
  hint: 'Send the call again, whole. Where it was too long for one response, do it in several calls.',
}

/**
 * Runs the calls of one response as one run, in order, each on its own.
 *
 * @returns an answer for each, at the same index; a model's mistakes are answers, never exceptions
 * @throws HermesError `INVALID_OPTION`
 */
export async function answerCalls(
  hermes: Hermes, calls: readonly ResponseCall[], { signal, onResult, ...bounds }: Omit<CallOptions, 'except'>,
): Promise<ToolAnswer[]> {
  checkDataBounds(bounds)
  // Loading the policy adds the verbs of the user's config.
  await hermes.policy()
  const whole = calls.filter(({ isCutOff }) => isCutOff !== true)
    .map(({ id, name, arguments: args }) => ({ id, name: calledVerb(name, hermes.registry), arguments: args }))
  const runId = createRunId()
  const run = whole.length === 0 ? undefined : await hermes.call(whole, { signal, runId })
  const tell = (result: ActionResult): ToolAnswer => boundedAnswer(hermes, result, { ...bounds, runId })
  const answers = run ? whole.map((_, index) => answerOf(run, index + 1, tell)) : []
  if (run) addNotes(answers, run)
  if (run) onResult?.(run)
  return calls.map(({ isCutOff }) => (isCutOff === true ? undefined : answers.shift()) ?? CUT_OFF)
}

function answerOf(
  run: ExecutionResult, line: number, tell: (result: ActionResult) => ToolAnswer,
): ToolAnswer {
  const isHere = ({ startLine }: { startLine: number }) => startLine === line
  const result = run.results.find(isHere)
  if (!result) return unread(run.parseErrors.find(isHere))
  const answer = tell(result)
  if (run.rolledBack === undefined || !answer.success) return answer
  return {
    ...answer, success: false, code: 'CANCELLED', error: PUT_BACK[`${run.rolledBack}`],
    hint: 'Mend the call that failed, then send all of them again.',
  }
}

const PUT_BACK: Record<`${NonNullable<ExecutionResult['rolledBack']>}`, string> = {
  true: 'Put back: the run is all or nothing, and another call failed',
  files: 'Put back: the run is all or nothing, and another call failed; what else commands did stays',
  partly: 'The run is all or nothing, and another call failed; not everything could be put back: look before you go on',
}

/**
 * What a model gets of a result, within the limit of all front ends: longer data is given as text.
 *
 * @param bounds.runId of the run that keeps data that is cut; without it nothing is kept
 */
export function boundedAnswer(
  hermes: Hermes, result: ActionResult,
  { callTokens = hermes.callTokens, maxDataLength = Infinity, runId }: DataBounds & { runId?: string | undefined },
): ToolAnswer {
  const answer = toolAnswer(result, maxDataLength)
  if (fits(answer.data, callTokens)) return answer
  // In JSON the text counts a little more, since each line break is two characters.
  for (let tokens = callTokens; ; tokens = Math.floor(tokens * NEXT_TRY)) {
    const { text } = hermes.callText(result, { tokens, runId })
    if (fits(text, callTokens) || tokens < LEAST_TRY) return answerWith(result, { value: text, note: IN_PART })
  }
}

const NEXT_TRY = 0.85
const LEAST_TRY = 100
/** Longest token of any tokenizer, in characters. */
const LONGEST_TOKEN = 16

function fits(data: unknown, tokens: number): boolean {
  const json = data === undefined ? '' : JSON.stringify(data)
  return json.length <= tokens * LONGEST_TOKEN && tokensAtMost(json) <= tokens
}

/** A result for the record. @param most characters of JSON of its data */
export function toolAnswer(result: ActionResult, most: number): ToolAnswer {
  return answerWith(result, dataOf(result.data, most))
}

function answerWith(
  { success, error, code, hint }: ActionResult, { value, note }: { value?: unknown; note?: string },
): ToolAnswer {
  const hints = [hint, note].filter((line) => line !== undefined)
  return {
    success,
    ...(error !== undefined && { error }),
    ...(code !== undefined && { code }),
    ...(hints.length > 0 && { hint: hints.join('\n') }),
    ...(value !== undefined && { data: value }),
  }
}

const IN_PART = 'The data was too long and is shown in part: ask for less at once, and do not write it back.'

/** The data within the limit; the user's own verbs may return anything, also values without a JSON form. */
function dataOf(data: unknown, most: number): { value?: unknown; note?: string } {
  try {
    const { value, isWhole } = shorten(data, most)
    return isWhole ? { value } : { value, note: IN_PART }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    return { note: 'The data has no form in JSON and is left out.' }
  }
}

function unread(parseError: ParseError | undefined): ToolAnswer {
  // The session's `rewrite` may leave calls out.
  if (!parseError) return { success: false, code: 'CANCELLED', error: 'Left out: the session does not run this call' }
  const { message, code, hint } = parseError.error
  return { success: false, error: message, code, ...(hint !== undefined && { hint }) }
}

/** Adds the run's warnings and fatal error to its last answer, once. */
function addNotes(answers: ToolAnswer[], { warnings = [], fatalError }: ExecutionResult): void {
  const notes = [...(fatalError === undefined ? [] : [`The run was stopped: ${fatalError}`]), ...warnings]
  const last = answers.at(-1)
  if (!last || notes.length === 0) return
  const text = clip(createMasker(process.env).text(notes.join('\n')), MAX_NOTES)
  answers[answers.length - 1] = { ...last, hint: last.hint === undefined ? text : `${last.hint}\n${text}` }
}
