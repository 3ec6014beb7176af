import { inParent, outputTarget, replaceUnchanged, writeOutput } from '../../../2-files/src/index.js'
import { HermesError, isNodeError, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { renderMarkdownReport, renderTerminal } from '../../../1-reports/src/index.js'
import { createMasker } from '../../../0-text/src/index.js'
import { answerHash, answerOf, withSummary } from './answer-text.js'
import { readAnswer } from './read-answer.js'
import { summaryPath } from './watched-place.js'

export interface SummaryRequest {
  /** Path of the answer. */
  path: string
  /** Hash of the answer that has run. */
  hash: string
  runId: string
  result: ExecutionResult
  /** The text for the model, included in a summary beside the answer. */
  reply: string
  /** Write it into the answer's file instead of beside it. */
  prepend: boolean
}

const CHANGED = { problem: 'The file was changed meanwhile, so that it has no summary of this run' }

/** @returns its path, or a sentence why it was not written. Never throws because of a refusal */
export function writeSummary(request: SummaryRequest): { path: string } | { problem: string } {
  const masker = createMasker({}, { shapes: true })
  const masked = { ...request, result: masker.value(request.result), reply: masker.value(request.reply) }
  try {
    return request.prepend ? prepend(masked) : beside(masked)
  } catch (error) {
    if (error instanceof HermesError) return { problem: `There is no summary: ${error.message}` }
    if (!isNodeError(error)) throw error
    return { problem: `The summary cannot be written (${error.code})` }
  }
}

function beside({ path, result, reply }: SummaryRequest): { path: string } {
  const summary = summaryPath(path)
  writeOutput(summary, renderMarkdownReport(result, { reply }))
  return { path: summary }
}

/** Writes it into the answer's file, unless that was changed while its answer ran. */
function prepend({ path, hash, runId, result }: SummaryRequest): { path: string } | { problem: string } {
  const place = outputTarget(path)
  const read = readAnswer(path)
  if (!read) return { problem: 'The file is gone, so that it has no summary' }
  if ('problem' in read) return CHANGED
  const { content } = read
  const answer = answerOf(content)
  if (answerHash(answer.text) !== hash) return CHANGED
  const title = `run ${runId}, ${new Date().toISOString()}. What stands below it is the answer; this is no part of it.`
  const written = withSummary(answer, title, summaryLines(result))
  return inParent(place, 'open', (held) => replaceUnchanged(held, written, content)) ? { path: place } : CHANGED
}

/** The output of `hermes apply`, without colours, in text order. */
function summaryLines(result: ExecutionResult): string[] {
  const parts = [
    ...result.results.map(
      (each) => ({ line: each.startLine, text: renderTerminal({ type: 'block-end', result: each, changes: [] }) }),
    ),
    ...result.parseErrors.map(
      (error) => ({ line: error.startLine, text: renderTerminal({ type: 'parse-error', error }) }),
    ),
    ...result.skipped.map((block) => ({ line: block.startLine, text: renderTerminal({ type: 'skipped', block }) })),
  ].sort((a, b) => a.line - b.line)
  const end = renderTerminal({ type: 'end', result })
  return [...parts.map(({ text }) => text), end].join('').trimEnd().split('\n')
}
