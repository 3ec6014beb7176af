/** One answer of the scripted model: what it says, and how it is sent. */
export interface ScriptedAnswer {
  text: string
  reasoning?: string
  calls: { name: string; arguments: string; id?: string }[]
  /** Default `stop`, or `tool_calls` where there are calls. */
  finish?: string
  /** A refusal with that status; `text` is its message. */
  status?: number
  headers: Record<string, string>
  /** The connection is closed after so many characters of text. */
  cut?: number
  /** Characters a chunk; default 20. */
  chunk: number
  /**
   * `html`: another content type; `json`: whole though a stream was asked for; `garbage`: an event that is no JSON;
   * `error`: an error in the stream after the text; `hang`: nothing comes after the text; `unfinished`: no finish reason;
   * `endless`: no `[DONE]` either.
   */
  fault?: 'html' | 'json' | 'garbage' | 'error' | 'hang' | 'unfinished' | 'endless'
  /** The text is repeated so often. */
  times: number
  /** Milliseconds between two chunks. */
  pauseMs: number
  /** Deltas of chunks that are sent as they are, in place of text and calls. */
  deltas?: readonly object[]
  /** What the API says it took; none with `usage=no`. */
  usage?: { input: number; output: number; cached?: number }
}

const CALL = /^@call(?:#(\S+))? (\S+) ?(.*)$/

/**
 * Reads an answer from a fence: its info `answer finish=length status=429 retry-after-ms=5 cut=40 chunk=1 fault=html
 * times=1000 pause=5 usage=100/20` and its lines. A line `@call name {…}` (or `@call#id name {…}`) is a call,
 * `@reasoning …` a thought, all others are text.
 */
export function readAnswer(info: string, body: string): ScriptedAnswer {
  const words = info.split(/\s+/).slice(1).map((word) => word.split('=') as [string, string?])
  const given = new Map(words.map(([name, value = '']) => [name, value]))
  const lines = body.split('\n')
  const calls = lines.flatMap((line) => {
    const [, id, name = '', args = ''] = CALL.exec(line) ?? []
    return name === '' ? [] : [{ name, arguments: args, ...(id !== undefined && { id }) }]
  })
  const thoughts = lines.filter((line) => line.startsWith('@reasoning ')).map(
    (line) => line.slice('@reasoning '.length),
  )
  const text = lines.filter((line) => !CALL.test(line) && !line.startsWith('@reasoning ')).join('\n')
  const number = (name: string): number | undefined => (given.has(name) ? Number(given.get(name)) : undefined)
  const [input = 100, output = 20] = (given.get('usage') ?? '').split('/').filter(Boolean).map(Number)
  const [finish, status, cut, fault] = [given.get('finish'), number('status'), number('cut'), given.get('fault')]
  const known = new Set(['finish', 'status', 'cut', 'chunk', 'fault', 'times', 'pause', 'usage'])
  return {
    text, calls,
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n') }),
    ...(finish !== undefined && { finish }),
    ...(status !== undefined && { status }),
    headers: Object.fromEntries([...given].filter(([name, value]) => !known.has(name) && value !== '')),
    ...(cut !== undefined && { cut }),
    ...(fault !== undefined && { fault: fault as NonNullable<ScriptedAnswer['fault']> }),
    chunk: number('chunk') ?? 20, times: number('times') ?? 1, pauseMs: number('pause') ?? 0,
    ...(given.get('usage') !== 'no' && { usage: { input, output } }),
  }
}

/** The plainest answer: text, and calls by name and arguments. */
export function say(text: string, ...calls: [name: string, args: Record<string, unknown>][]): ScriptedAnswer {
  return {
    text, calls: calls.map(([name, args]) => ({ name, arguments: JSON.stringify(args) })), headers: {}, chunk: 20,
    times: 1, pauseMs: 0, usage: { input: 100, output: 20 },
  }
}
