/**
 * The model of the trial `agent-kills`: wants `STEPS` lines in a log, each once, and looks where an outcome is unknown.
 */
import type { ModelRequest } from '../../comp/6-agent/test/agent/support/model-server.js'
import { readAnswer, type ScriptedAnswer } from '../../comp/6-agent/test/agent/support/script.js'

export { startModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'

/** How often the model was told of an unknown outcome. */
export const seen = { unknown: 0 }
const LOG = 'log is: '

/** What the model says next, from the conversation alone. */
export function nextAnswer({ messages }: ModelRequest, steps: number, isNative: boolean): ScriptedAnswer {
  const text = messages.map((message) => `${message.content ?? ''} ${JSON.stringify(message.tool_calls ?? '')}`)
    .join('\n')
  // What came of calls, not what they say.
  const told = messages.map(({ role, content }) => (role === 'assistant' ? '' : content ?? ''))
  const unsureAt = told.findLastIndex((one) => one.includes('Unknown outcome'))
  const lookedAt = told.findLastIndex((one) => one.includes(LOG))
  if (unsureAt === messages.length - 1) seen.unknown++
  // Also where it was killed before its look began, and is told that this did not run.
  if (unsureAt > lookedAt) {
    return call(
      'execute_command', { command: `echo "${LOG}$(tr '\\n' ' ' < log)"` }, `look-${messages.length}`, isNative,
    )
  }
  const log = new RegExp(`${LOG}([^"\\\\]*)`).exec(told[lookedAt] ?? '')?.[1] ?? ''
  for (let step = 1; step <= steps; step++) {
    const isDone = log.includes(`step-${step} `) || text.includes(`did-${step}.`)
    if (!isDone) return call(
      'execute_command', { command: `echo step-${step} >> log; echo did-"${step}".` }, `s${step}-${messages.length}`,
      isNative,
    )
  }
  return readAnswer('answer', 'Done.')
}

/** Slowly, so that kills hit the stream, too. */
function call(name: string, args: Record<string, unknown>, id: string, isNative: boolean): ScriptedAnswer {
  const info = 'answer pause=2 chunk=12'
  if (isNative) return readAnswer(info, `Now this.\n@call#${id} ${name} ${JSON.stringify(args)}`)
  return readAnswer(
    info,
    `Now this.\n<tool_call>${JSON.stringify({ id, name, arguments: args })}</tool_call>\nAnd some words after it.`,
  )
}
