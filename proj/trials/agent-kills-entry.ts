/** The model of the trial `agent-kills`: wants `STEPS` lines in a log, each once, and looks where an outcome is unknown. */
import type { ModelRequest } from '../comp/agent/test/support/model-server.js'
import { readAnswer, type ScriptedAnswer } from '../comp/agent/test/support/script.js'

export { startModelServer } from '../comp/agent/test/support/model-server.js'

/** How often the model was told of an unknown outcome. */
export const told = { unknown: 0, broken: 0 }

/** What the model says next, from the conversation alone. */
export function nextAnswer({ messages }: ModelRequest, steps: number, isNative: boolean): ScriptedAnswer {
  const text = messages.map((message) => `${message.content ?? ''} ${JSON.stringify(message.tool_calls ?? '')}`).join('\n')
  const log = [...text.matchAll(/log is: ([^"\\]*)/g)].at(-1)?.[1] ?? ''
  const last = messages.at(-1)?.content ?? ''
  if (last.includes('Unknown outcome')) {
    told.unknown++
    return call('execute_command', { command: 'echo "log is: $(tr \'\\n\' \' \' < log)"' }, `look-${messages.length}`, isNative)
  }
  for (let step = 1; step <= steps; step++) {
    const isDone = log.includes(`step-${step} `) || text.includes(`did-${step}.`)
    if (!isDone) return call('execute_command', { command: `echo step-${step} >> log; echo did-"${step}".` }, `s${step}-${messages.length}`, isNative)
  }
  return readAnswer('answer', 'Done.')
}

/** Slowly, so that kills hit the stream, too. */
function call(name: string, args: Record<string, unknown>, id: string, isNative: boolean): ScriptedAnswer {
  const info = 'answer pause=2 chunk=12'
  if (isNative) return readAnswer(info, `Now this.\n@call#${id} ${name} ${JSON.stringify(args)}`)
  return readAnswer(info, `Now this.\n<tool_call>${JSON.stringify({ id, name, arguments: args })}</tool_call>\nAnd some words after it.`)
}
