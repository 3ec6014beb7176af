import { HermesError, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { parse } from '../../../1-reading/src/index.js'
import { createRunId } from '../../../3-transaction/src/index.js'
import { boundedAnswer } from '../adapters/answers.js'
import type { ModelAnswer, ModelDelta } from './model/wire/answer-pieces.js'
import type { Retries } from './model/ask-model.js'
import { askNext } from './model/ask-once.js'
import { CallTracker } from './call-tracker.js'
import { Channel } from './channel.js'
import type { LoopParts, TurnOutcome } from './loop-parts.js'
import type { EndedCall } from './repeated-calls.js'
import type { AssistantMessage } from './messages.js'
import { judgeFailure } from './model/model-failure.js'
import { runCalls } from './run-calls.js'
import { resultsText, type DataTeller, type Interruption } from './results-text.js'

/** Runs one turn in block style: each block runs as soon as it is complete, while the answer still streams. */
export async function blocksTurn(parts: LoopParts, retries: Retries): Promise<TurnOutcome> {
  for (;;) {
    const { answer, text, reasoning, error, ...run } = await stream(parts)
    const { result } = run
    const { conversation, signal } = parts
    const hasBlocks = result.totalBlocks > 0 || result.parseErrors.length > 0
    const message: AssistantMessage = { role: 'assistant', content: text, ...(reasoning !== '' && { reasoning }) }
    if (answer) {
      retries.succeeded()
      const isCut = answer.finish === 'length'
      if (answer.calls.length > 0) return await callsOf(parts, answer, message, hasBlocks ? run : undefined)
      if (hasBlocks) await addResults(parts, message, { ...run, interruption: isCut ? 'length' : undefined })
      else await addUnread(parts, message, run)
      return { text, hasCalls: hasBlocks, isCut: isCut && !hasBlocks, finish: answer.finish }
    }
    if (signal.aborted) {
      // Blocks that have run are part of the conversation, however it continues.
      if (hasBlocks) await addResults(parts, message, { ...run, interruption: 'cancelled' })
      else if (text !== '') conversation.interrupt({ text, reasoning })
      throw error
    }
    if (hasBlocks) await addResults(parts, message, { ...run, interruption: 'connection' })
    await retries.after(judgeFailure(error, parts.client.mask))
    if (signal.aborted) throw error
    if (hasBlocks) return { text, hasCalls: true, isCut: false }
  }
}

/**
 * An answer of which no block was found.
 *
 * @throws HermesError `RUN_STOPPED` where it has some: then an extension has failed, and nothing of it ran
 */
async function addUnread(
  parts: LoopParts, message: AssistantMessage, run: Pick<RunTold, 'result' | 'runId' | 'ended'>,
): Promise<void> {
  const { conversation, emit } = parts
  const { fatalError } = run.result
  if (fatalError === undefined || parse(message.content ?? '').totalBlocks === 0) {
    if (fatalError !== undefined) emit({ type: 'notice', text: fatalError })
    conversation.add({ type: 'message', message })
    return
  }
  await addResults(parts, message, run)
  throw new HermesError('RUN_STOPPED', `Nothing of the answer ran: ${fatalError}`, { hint: 'Mend that first.' })
}

/** Calls that the server made of the text, though it was offered no tools. @param run of the blocks it left there */
async function callsOf(
  parts: LoopParts, answer: ModelAnswer, message: AssistantMessage, run: Omit<RunTold, 'note'> | undefined,
): Promise<TurnOutcome> {
  const { text, calls, finish } = answer
  if (!run) {
    parts.conversation.add({ type: 'message', message: { ...message, tool_calls: calls } })
    await runCalls(parts, calls, finish)
  } else {
    const names = calls.map(({ function: { name } }) => name).join(', ')
    const note = `Function calls beside blocks did not run: ${names}. Send them as blocks.`
    await addResults(parts, message, { ...run, note })
  }
  return { text, hasCalls: true, isCut: false, finish }
}

interface Streamed {
  /** `undefined` if it broke off. */
  answer?: ModelAnswer
  error?: unknown
  text: string
  reasoning: string
  result: ExecutionResult
  runId: string
  ended: readonly EndedCall[]
}

async function stream(parts: LoopParts): Promise<Streamed> {
  const { hermes, emit, signal, track, conversation } = parts
  const channel = new Channel<string>()
  const tracker = new CallTracker(conversation, emit, false, parts.options.changeTexts)
  track(tracker)
  const { endedCalls: ended } = tracker
  const runId = createRunId()
  const running = drain(hermes.stream(channel, { maxKeptBytes: Infinity, signal, runId }))
  const listener = {
    // Line by line: a line ends at most one block, so that each is told of before it runs.
    onText: (written: string) => channel.push(...written.split(/(?<=\n)/)),
    onDelta(delta: ModelDelta) {
      emit(delta)
      tracker.heard(delta)
    },
  }
  try {
    const answer = await askNext(parts, false, listener)
    channel.end()
    return { answer, text: answer.text, reasoning: answer.reasoning, result: await running, runId, ended }
  } catch (error) {
    channel.end({ error: new Error('the connection was lost') })
    const result = await running
    return { error, text: tracker.text, reasoning: tracker.reasoning, result, runId, ended }
  } finally {
    track(undefined)
  }
}

/** The result at the end of a run, also if its source failed. */
async function drain(events: ReturnType<LoopParts['hermes']['stream']>): Promise<ExecutionResult> {
  let result: ExecutionResult | undefined
  try {
    for await (const event of events) if (event.type === 'end') result = event.result
  } catch (error) {
    if (!result) throw error
  }
  if (!result) throw new HermesError('INTERNAL', 'A run ended without its result')
  return result
}

/** A run of blocks, and what to tell the model of it. */
interface RunTold {
  result: ExecutionResult
  runId: string
  /** The calls of the run, in the order they ended. */
  ended: readonly EndedCall[]
  interruption?: Interruption | undefined
  note?: string
}

export async function addResults(
  parts: LoopParts, message: AssistantMessage, { result, runId, ended, interruption, note }: RunTold,
): Promise<void> {
  if (note !== undefined) parts.emit({ type: 'notice', text: note })
  for (const text of result.warnings ?? []) parts.emit({ type: 'notice', text })
  const told = resultsText(result, await dataTeller(parts, runId), interruption)
  const loops = await loopsIn(parts, ended)
  const content = [told, ...loops, ...(note === undefined ? [] : [note])].join('\n\n')
  // Together: an answer without what became of it would be run again.
  parts.conversation.add({ type: 'message', message }, { type: 'message', message: { role: 'user', content } })
}

/** Notes for the model about calls with repeated results, each with the call's id and name. */
async function loopsIn({ repeats, hermes }: LoopParts, ended: readonly EndedCall[]): Promise<string[]> {
  const told = await repeats.add(ended, async (name) => hermes.registry.load(name))
  return ended.flatMap(({ call: { id, tool } }) => {
    const note = told.get(id)
    return note === undefined ? [] : [`${id} (${tool}): ${note}`]
  })
}

/**
 * How results are rendered for the model. Data of verbs that only write is left out: the model wrote it itself.
 *
 * @param runId of the run that keeps data that is cut; without it nothing is kept
 */
export async function dataTeller(
  { hermes, options: { callTokens } }: Pick<LoopParts, 'hermes' | 'options'>, runId?: string,
): Promise<DataTeller> {
  const types = new Map((await hermes.verbs()).map(({ name, type }) => [name.toLowerCase(), type]))
  return {
    tellsData: ({ action, data }) => data !== undefined && types.get(action.toLowerCase()) !== 'write',
    tell: (result) => boundedAnswer(hermes, result, { callTokens, runId }),
  }
}
