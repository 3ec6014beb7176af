import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ActionResult, AnyVerb, ExecutionResult, HermesError } from '../../0-contracts/src/index.js'
import { structuredContent } from '../../1-registry/src/index.js'
import { renderFeedback } from '../../1-reports/src/index.js'

/** Where the parts of a failure stand for programs; the text has them for models. */
const ERROR_META = 'hermes/error'
const COMMIT_META = 'hermes/commit'

type Failure = Pick<ActionResult, 'code' | 'error' | 'hint' | 'data'>

/** A failure as the result of a tool: its code, what went wrong, what to do instead, and what is known all the same. */
export function failedTool({ code = 'INTERNAL', error = 'It failed', hint, data }: Failure): CallToolResult {
  const text = `${code}: ${error}${hint === undefined ? '' : `\nHint: ${hint}`}`
  return {
    isError: true,
    content: [
      { type: 'text', text }, ...(data === undefined ? [] : [{ type: 'text' as const, text: JSON.stringify(data) }]),
    ],
    _meta: {
      [ERROR_META]: { code, message: error, ...(hint !== undefined && { hint }), ...(data !== undefined && { data }) },
    },
  }
}

export function failureOf({ code, message, hint, data }: HermesError): Failure {
  return { code, error: message, ...(hint !== undefined && { hint }), ...(data !== undefined && { data }) }
}

/** The result of a run that was one call. */
export function callResult(verb: AnyVerb, run: ExecutionResult): CallToolResult {
  const [result] = run.results
  if (!result) {
    const [wrong] = run.parseErrors
    return failedTool(wrong ? {
      code: wrong.error.code, error: wrong.error.message,
      ...(wrong.error.hint !== undefined && { hint: wrong.error.hint }),
    } : {})
  }
  const stopped = run.fatalError
  if (!result.success) return failedTool(stopped === undefined || result.code !== 'CANCELLED' ? result
    : { code: 'POLICY_DENIED', error: stopped })
  // It did what it should, but the commit failed.
  if (stopped !== undefined) {
    return failedTool({ code: 'INTERNAL', error: `Done, but the run was stopped: ${stopped}`, data: result.data })
  }
  const data = structuredContent(verb, result.data)
  const notes = [...(result.hint === undefined ? [] : [result.hint]), ...(run.warnings ?? [])]
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }, ...notes.map((text) => ({ type: 'text' as const, text }))],
    structuredContent: data,
    ...(run.gitCommit !== undefined && { _meta: { [COMMIT_META]: run.gitCommit } }),
  }
}

/** The result of a whole answer: the feedback for the model first, then everything. @param uri of its report */
export function answerResult(run: ExecutionResult, uri: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: renderFeedback(run) },
      { type: 'text', text: JSON.stringify(run) },
      { type: 'resource_link', uri, name: 'Report of this run', mimeType: 'text/markdown' },
    ],
    structuredContent: { ...run },
    ...(!run.success && { isError: true }),
    ...(run.gitCommit !== undefined && { _meta: { [COMMIT_META]: run.gitCommit } }),
  }
}
