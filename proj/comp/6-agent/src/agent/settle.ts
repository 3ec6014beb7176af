import type { ActionResult } from '../../../0-contracts/src/index.js'
import { userHooks } from '../../../5-executor/src/index.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { findDeadRun, recover } from '../../../3-transaction/src/index.js'
import { dataTeller } from './blocks-turn.js'
import type { CallState } from './conversation.js'
import type { LoopParts } from './loop-parts.js'
import type { MessageCall } from './messages.js'
import { onlyReads, runCalls } from './run-calls.js'
import { NOT_RUN, recoveredText, UNKNOWN } from './results-text.js'

/** Longest wait for the root, in milliseconds: another process may be ending the same run. */
const LOCK_MS = 60_000

/** Finishes, before a message is answered, what a killed process left incomplete. */
export async function takeUp(parts: LoopParts, root: string): Promise<void> {
  const { conversation } = parts
  const { lastPid, isUnfinished } = conversation
  const killed = lastPid !== process.pid && isUnfinished ? lastPid : undefined
  const text = await recoverRun(root, killed, parts.options, parts.signal)
  if (text !== undefined) parts.emit({ type: 'notice', text })
  if (lastPid !== process.pid) conversation.add({ type: 'open', pid: process.pid, at: new Date().toISOString() })
  await settle(parts)
}

/**
 * Brings a conversation whose process ended in the middle of an answer to a point from which it can continue. Completed
 * calls are not run again; those that were running are reported with an unknown outcome; those that only read, or had
 * not started, run now.
 */
async function settle(parts: LoopParts): Promise<void> {
  const { conversation, hermes } = parts
  if (conversation.partText !== '') {
    const content = recoveredText(conversation.calls.values(), await dataTeller(parts))
    const { partText, partReasoning } = conversation
    const reasoning = partReasoning !== '' && { reasoning: partReasoning }
    conversation.add(
      { type: 'message', message: { role: 'assistant', content: partText, ...reasoning } },
      { type: 'message', message: { role: 'user', content } },
    )
    return
  }
  const open = conversation.unanswered()
  if (open.length === 0) return
  const last = conversation.messages.findLast(({ role }) => role === 'assistant')
  const requested = last?.role === 'assistant' ? last.tool_calls ?? [] : []
  const calls = new Map(requested.map((call) => [call.id, call]))
  const [known, again, unsure]: [CallState[], MessageCall[], CallState[]] = [[], [], []]
  let isSure = true
  for (const state of open) {
    const call = calls.get(state.call.id)
    const reads = call !== undefined && await onlyReads(hermes, call)
    if (state.result) known.push(state)
    else if (call && (reads || (isSure && !await mayHaveRun(parts, state)))) again.push(call)
    else {
      unsure.push(state)
      isSure = false
    }
  }
  for (const { call, result } of known) if (result) await answer(parts, call, result)
  for (const state of unsure) await answer(parts, state.call, await mayHaveRun(parts, state) ? UNKNOWN : NOT_RUN)
  if (again.length > 0) await runCalls(parts, again, 'tool_calls')
}

/**
 * Whether a call may have run before the process ended. Of blocks written together each is reported only when all are
 * written, so such a call may have run without a start record.
 */
async function mayHaveRun({ hermes }: LoopParts, { call, isStarted }: CallState): Promise<boolean> {
  if (isStarted || call.tool === '') return isStarted
  const verb = await hermes.registry.load(call.tool)
  return verb?.onlyFile !== undefined || verb?.writesOneFile === true
}

async function answer(
  parts: LoopParts, { id, tool: action, parameters: params }: CallState['call'],
  result: Pick<ActionResult, 'success'> & Partial<ActionResult>,
): Promise<void> {
  const full = { seq: 0, blockId: id, action, params, startLine: 1, endLine: 1, durationMs: 0, ...result }
  const { tell } = await dataTeller(parts)
  const content = JSON.stringify(tell(full))
  parts.conversation.add({ type: 'message', message: { role: 'tool', tool_call_id: id, content } })
}

/**
 * Ends the run of a killed conversation, as `hermes recover` does: its changes stay. It also ends a run of another
 * conversation, which may never be continued, since until then nothing else can run in the root. Other runs, as of
 * `hermes apply`, are left to their user.
 *
 * @param pid of the process that had this conversation before, if it was killed
 * @returns a notice in one line; `undefined` where there was nothing to end
 */
async function recoverRun(
  root: string, pid: number | undefined, options: LoopParts['options'], signal: AbortSignal,
): Promise<string | undefined> {
  const dead = findDeadRun(root)
  const isOwn = dead?.begin.owner !== undefined && dead.begin.owner.pid === pid
  if (!dead || (!isOwn && dead.begin.unit === undefined)) return undefined
  const { allow = [], gitCommit: git = true } = options
  const gate = createPathGate({ root, allow, forUser: true })
  const hooks = git ? await userHooks(root, allow) : undefined
  const { runId, left } = await recover({ root, gate, restore: false, git, waitMs: LOCK_MS, signal, hooks })
  if (runId === undefined) return undefined
  const rest = left.length > 0 ? `; not all of it: ${left.map(({ path }) => path).join(', ')}` : ''
  if (isOwn) return `Finished run ${runId}, which was interrupted${rest}`
  return `Finished run ${runId} of another conversation, which was interrupted${rest}: `
    + `hermes undo --run ${runId} takes it back`
}
