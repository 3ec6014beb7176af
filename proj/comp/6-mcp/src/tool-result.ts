import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ActionResult, AnyVerb, ExecutionResult, HermesError, Lenient } from '../../0-contracts/src/index.js'
import { structuredContent } from '../../1-registry/src/index.js'
import {
  DEFAULT_CALL_TOKENS, renderCall, tokensAtMost, withNextOffset, type CallText,
} from '../../1-reports/src/index.js'

/** Field with the parts of a failure for programs; models get them in the text. */
const ERROR_META = 'hermes/error'
const COMMIT_META = 'hermes/commit'
/** Field with the outcome of each block of an answer, for programs. */
const RUN_META = 'hermes/run'

/** Longest data that is repeated as structured content, in characters of JSON. */
const MOST_DATA = 1024
/** What warnings of a run may take beside its reply, in tokens. */
const NOTES = 1000
/** Blocks that programs are told of one by one. */
const MOST_BLOCKS = 100

/** Limits of replies, in tokens; the defaults are those of all front ends. */
export interface ReplyBounds {
  /** For a whole answer. */
  tokens?: number | undefined
  /** For one call. */
  callTokens?: number | undefined
}

type Failure = Lenient<Pick<ActionResult, 'code' | 'error' | 'hint' | 'data'>>

/** A failure as the result of a tool: its code, the error, a hint, and its data if any. */
export function failedTool({ data, ...failure }: Failure, dataText = shownData(data)): CallToolResult {
  const { code = 'INTERNAL', error: message = 'It failed', hint } = failure
  return {
    isError: true,
    content: texts([headOf(failure), dataText]),
    _meta: {
      [ERROR_META]: {
        code, message, ...(hint !== undefined && { hint }), ...(data !== undefined && isShort(data) && { data }),
      },
    },
  }
}

function headOf({ code = 'INTERNAL', error = 'It failed', hint }: Failure): string {
  // Messages of the system begin with their code already.
  return `${error.startsWith(`${code}:`) ? '' : `${code}: `}${error}${hint === undefined ? '' : `\nHint: ${hint}`}`
}

function shownData(data: unknown): string {
  return data === undefined ? '' : renderCall({ action: '', params: {}, data }).text
}

export function failureOf({ code, message, hint, data }: HermesError): Failure {
  return { code, error: message, hint, data }
}

/**
 * The result of a run of one call.
 *
 * @param show renders the call's data as text of at most so many tokens
 */
export function callResult(
  verb: AnyVerb, run: ExecutionResult, show: (result: ActionResult, tokens: number) => CallText,
  { callTokens = DEFAULT_CALL_TOKENS }: ReplyBounds = {},
): CallToolResult {
  const [result] = run.results
  if (!result) {
    const [wrong] = run.parseErrors
    return failedTool(wrong ? { code: wrong.error.code, error: wrong.error.message, hint: wrong.error.hint } : {})
  }
  const shown = (told: string): string => (
    result.data === undefined ? '' : show(result, callTokens - tokensAtMost(told)).text
  )
  const stopped = run.fatalError
  if (!result.success) {
    const isStopped = stopped !== undefined && result.code === 'CANCELLED'
    if (isStopped) return failedTool({ code: 'POLICY_DENIED', error: stopped })
    return failedTool(result, shown(headOf(result)))
  }
  // The call succeeded, but the commit failed.
  if (stopped !== undefined) {
    const failure = { code: 'INTERNAL', error: `Done, but the run was stopped: ${stopped}`, data: result.data }
    return failedTool(failure, shown(headOf(failure)))
  }
  const notes = [...(result.hint === undefined ? [] : [result.hint]), ...(run.warnings ?? [])].join('\n')
  const note = notes === '' ? '' : renderCall({ action: '', params: {}, data: notes }, { tokens: callTokens / 2 }).text
  const data = structuredContent(verb, result.data)
  const { text } = show(result, callTokens - tokensAtMost(note))
  return {
    content: texts([text, withNextOffset(note.split('\n'), text.split('\n')).join('\n')]),
    // Many clients give models this in place of the text, so it must not say less.
    ...(note === '' && isShort(data) && { structuredContent: data }),
    ...(run.gitCommit !== undefined && { _meta: { [COMMIT_META]: run.gitCommit } }),
  }
}

function texts(parts: readonly string[]): CallToolResult['content'] {
  return parts.filter((text) => text !== '').map((text) => ({ type: 'text', text }))
}

function isShort(data: unknown): boolean {
  return JSON.stringify(data).length <= MOST_DATA
}

/**
 * The result of a whole answer: the reply for the model, and the address of the report. Outcomes of blocks are in
 * `_meta` for programs: clients that know structured content would show it in place of the reply.
 *
 * @param uri of its report
 */
export function answerResult(run: ExecutionResult, reply: string, uri: string): CallToolResult {
  const warnings = (run.warnings ?? []).join('\n')
  const notes = warnings === '' ? [] : [renderCall({ action: '', params: {}, data: warnings }, { tokens: NOTES }).text]
  return {
    content: [
      ...[reply, ...notes].map((text) => ({ type: 'text' as const, text })),
      { type: 'resource_link', uri, name: 'Report of this run', mimeType: 'text/markdown' },
    ],
    ...(!run.success && { isError: true }),
    _meta: {
      [RUN_META]: outcomeOf(run), ...(run.gitCommit !== undefined && { [COMMIT_META]: run.gitCommit }),
    },
  }
}

function outcomeOf(run: ExecutionResult): Record<string, unknown> {
  const { success, totalBlocks, executedActions, results, parseErrors, skipped, dryRun, rolledBack, fatalError } = run
  return {
    success, totalBlocks, executedActions, skipped: skipped.length,
    results: results.slice(0, MOST_BLOCKS).map((result) => ({
      blockId: result.blockId, action: result.action, success: result.success,
      ...(result.code !== undefined && { code: result.code }),
    })),
    parseErrors: parseErrors.slice(0, MOST_BLOCKS).map(({ blockId, startLine, error: { code } }) => ({
      ...(blockId !== undefined && { blockId }), startLine, code,
    })),
    ...(dryRun && { dryRun }), ...(rolledBack !== undefined && { rolledBack }),
    ...(fatalError !== undefined && { fatalError }),
  }
}
