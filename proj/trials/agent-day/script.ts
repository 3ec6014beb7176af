/** What the model says in the day, once for both styles: as calls of functions, or as blocks in the text. */
import { shamBlock } from '../../comp/1-registry/src/registry/index.js'
import type { ModelRequest } from '../../comp/6-agent/test/agent/support/model-server.js'
import type { ScriptedAnswer } from '../../comp/6-agent/test/agent/support/script.js'

export type Style = 'native' | 'blocks'

export type Call =
  | { do: 'write'; path: string; content: string }
  | { do: 'edit'; path: string; old: string; new: string }
  | { do: 'read'; path: string }
  | { do: 'run'; command: string }
  | { do: 'commit'; message: string }

/** An answer of the model; where it answers in words alone, its task is done. */
export interface Turn extends Partial<Omit<ScriptedAnswer, 'calls' | 'text'>> {
  text: string
  calls?: readonly Call[]
}

/** A turn that is made of what the model is sent. */
export type Play = readonly (Turn | ((request: ModelRequest) => Turn))[]

let ids = 0

export function answerOf({ text, calls = [], ...rest }: Turn, style: Style): ScriptedAnswer {
  const plain = { headers: {}, chunk: 20, times: 1, pauseMs: 0, usage: { input: 100, output: 20 }, ...rest }
  const wire = calls.map((call) => callOf(call, style))
  if (style === 'native') return {
    ...plain, text, calls: wire.map(([name, args]) => ({
      name, arguments: JSON.stringify(args), id: `call_${++ids}`,
    })),
  }
  const blocks = wire.map(([name, args]) => shamBlock(blockId(), name, args))
  return { ...plain, text: [text, ...blocks].join('\n\n'), calls: [] }
}

function blockId(): string {
  return `d${(++ids).toString(36)}`
}

/** By the names and parameters that each style is told of. */
function callOf(call: Call, style: Style): [name: string, args: Record<string, string>] {
  const isNative = style === 'native'
  if (call.do === 'write') return [isNative ? 'write_file' : 'file_write', { path: call.path, content: call.content }]
  if (call.do === 'read') return [isNative ? 'read_file' : 'file_read', { path: call.path }]
  if (call.do === 'edit') return [
    isNative ? 'edit_replace' : 'file_replace_text', { path: call.path, old_text: call.old, new_text: call.new },
  ]
  if (call.do === 'commit') return ['git_commit', { message: call.message }]
  return isNative ? ['execute_command', { command: call.command }] : ['exec', { lang: 'bash', code: call.command }]
}

/** Bytes that the model wrote: its words, and of calls names and arguments. */
export function writtenBy({ text, times, calls, reasoning = '' }: ScriptedAnswer): string {
  return text.repeat(times) + reasoning + calls.map((call) => call.name + call.arguments).join('')
}
