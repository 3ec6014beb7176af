import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { toolAnswer } from '../../adapters/answers.js'
import { outputTarget, writeOutput } from '../../../../2-files/src/index.js'
import { isRecord, parseJson } from '../../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../../1-registry/src/index.js'
import { createMasker } from '../../../../0-text/src/index.js'
import {
  rewrittenAgain, trajectoryLine, withExactness, type AssistantTurn, type ExportFormat, type RecordedResult,
  type Transcript, type Turn,
} from '../../../../2-transcripts/src/index.js'
import type { AssistantMessage } from '../messages.js'
import type { Offer } from '../offer.js'
import { isResultsText } from '../results-head.js'
import type { SessionRecord } from './sessions.js'

/** Longest data of one result, in characters of JSON. */
const MOST_DATA = 50_000

export interface TrajectorySource {
  records: readonly SessionRecord[]
  offer: Offer
  registry: VerbRegistry
  root: string
  /** Names and values of secrets, besides those of the environment. */
  secrets: Readonly<Record<string, string | undefined>>
}

/** A whole conversation as one line of training data, with secrets masked. */
export async function trajectoryOf(
  { records, offer, registry, root, secrets }: TrajectorySource, format: ExportFormat,
): Promise<string> {
  const system: Turn[] = offer.system === '' ? [] : [{ role: 'system', text: offer.system }]
  const turns = [...system, ...turnsOf(records)]
  const transcript: Transcript = {
    file: '', line: undefined, name: '', format: 'hermes', turns, root,
    ...(offer.tools.length > 0 && { tools: offer.tools }),
  }
  const rules = { relativePaths: true, root, rootAliases: [] }
  const line = await trajectoryLine(transcript, format, { registry, rules })
  const masker = createMasker({ ...process.env, ...secrets }, { shapes: true })
  return JSON.stringify(withExactness(masker.value(JSON.parse(line))))
}

/**
 * Writes the line to a file of its own, which is replaced as the conversation grows.
 *
 * @throws HermesError `POLICY_DENIED` where a link in the root leads there; Node's errors
 */
export function saveTrajectory(directory: string, taskId: string, line: string): void {
  mkdirSync(outputTarget(directory), { recursive: true })
  writeOutput(join(directory, `${taskId}.jsonl`), `${line}\n`, { mode: 0o600 })
}

/**
 * The turns of a conversation. Results of blocks follow their answer as those of calls do; the harness's messages that
 * carry them are left out.
 */
function turnsOf(records: readonly SessionRecord[]): Turn[] {
  const turns: Turn[] = []
  let results: RecordedResult[] = []
  let rewritten: Extract<SessionRecord, { type: 'rewritten' }> | undefined
  /** Whether they answer calls of the message before. */
  let areAnswers = false
  const close = (): void => {
    if (results.length > 0) turns.push({ role: 'results', results })
    results = []
    areAnswers = false
  }
  for (const record of records) {
    if (record.type === 'rewritten') rewritten = record
    else if (record.type === 'result') {
      const outcome = toolAnswer(record.result, MOST_DATA)
      results.push({ callId: record.id, text: JSON.stringify(outcome), outcome })
    } else if (record.type === 'replace' && record.reason !== 'shortened') {
      results = []
      rewritten = undefined
      turns.splice(0, turns.length, ...turnsOf(record.messages.map((message) => ({ type: 'message', message }))))
    } else if (record.type === 'message') {
      const { message } = record
      if (message.role === 'assistant') {
        if (areAnswers) close()
        const turn = assistantTurn(message)
        // An answer that broke off and was asked for again ran nothing.
        const isOf = rewritten?.original === turn.text
        turns.push(rewritten && isOf ? rewrittenAgain(turn, rewritten, rewritten.text) : turn)
        rewritten = undefined
        // In block style the results are recorded before their answer: blocks ran while it streamed.
        close()
      } else if (message.role === 'tool') {
        const { tool_call_id: id, content } = message
        areAnswers = true
        // Prefer the full result, if it was recorded.
        if (!results.some(({ callId }) => callId === id)) results.push({ callId: id, text: content })
      } else if (message.role === 'system' || !isResultsText(message.content)) {
        close()
        turns.push({ role: message.role, text: message.content })
      } else close()
    }
  }
  close()
  return turns
}

function assistantTurn({ content, reasoning = '', tool_calls: calls = [] }: AssistantMessage): AssistantTurn {
  return {
    role: 'assistant', reasoning, text: content ?? '',
    calls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: objectOr(args) })),
  }
}

function objectOr(args: string): unknown {
  const value = parseJson(args)
  return isRecord(value) ? value : args
}
