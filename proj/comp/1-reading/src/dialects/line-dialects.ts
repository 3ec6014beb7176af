import type { NamedDialect } from '../../../0-contracts/src/index.js'
import type { CallKeys, Dialect, JsonForm, PythonForm } from './dialect.js'

const NAME = String.raw`[\w.:-]{1,200}`
/** Also single quotes, so that such a call gets an error with a hint instead of being overlooked. */
const QUOTE = `["']`

function key(...names: string[]): string {
  return `${QUOTE}(?:${names.join('|')})${QUOTE}\\s*:\\s*`
}

const KEYS: readonly CallKeys[] = [
  ...['arguments', 'parameters', 'args', 'input'].map((args) => ({ name: 'name', arguments: args, id: 'id' })),
  ...['args', 'arguments', 'input', 'tool_input', 'parameters'].map((args) => ({ name: 'tool', arguments: args })),
  { name: 'action', arguments: 'action_input' },
  { name: 'name', arguments: 'arguments', id: 'id', within: 'function' },
]

const OTHER_KEYS = `(?:${key('id', 'type', 'index')}(?:${QUOTE}[^"'\\n]{0,200}${QUOTE}|\\d{1,9})\\s*,\\s*)*`
/** An object that can only be a call: a name followed by arguments. */
const CALL = [
  `\\{\\s*${OTHER_KEYS}`, `(?:${key('name', 'tool', 'action')}${QUOTE}[^"'\\n]{1,200}${QUOTE}\\s*,\\s*${OTHER_KEYS}`,
  `${key('arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input')}[{"']|${key('function')}\\{)`,
].join('')
const FIRST_KEY = `${QUOTE}(?:name|tool|action|function|id|type|index)${QUOTE}\\s*:`
const BEGINS = `(?:\\[[ \\t]*(?:$|(?=\\{)))?(?:\\{[ \\t]*(?:$|${FIRST_KEY})|$)`
const FENCE = String.raw`\x60{3}(?:json)?[ \t]*`
const NEXT_LINE = String.raw`\r?\n\s*`

/** Properties of forms that may call any tool. */
const ANY_TOOL = { closes: [], isCommand: true, isAlone: true } as const

/** @param more `keys` where the JSON names the tool */
function json(opens: string, head: string, begins: string, more: Pick<JsonForm, 'keys' | 'isFenced'>): JsonForm {
  return { kind: 'json', opens, head: new RegExp(head, 'y'), begins: new RegExp(begins, 'y'), ...ANY_TOOL, ...more }
}

function python(opens: string, head: string, begins: string): PythonForm {
  return { kind: 'python', opens, head: new RegExp(head, 'y'), begins: new RegExp(begins, 'y'), ...ANY_TOOL }
}

function named(
  name: NamedDialect, title: string, forms: Dialect['forms'],
  more: Pick<Dialect, 'shape' | 'source' | 'resultMark' | 'answers'>,
): Dialect {
  return { name, named: name, title, wrappers: [], forms, ...more }
}

const ACTION_NAME = String.raw`(?<name>${NAME})[ \t]*${NEXT_LINE}`
/** The tools of gptme that name a path and run nothing. */
const GPTME_FILES = ['save', 'append', 'patch', 'read']

function gptme(name: string, more: Partial<JsonForm>): JsonForm {
  return {
    kind: 'json', opens: '@', head: new RegExp(String.raw`@(?<name>${name})\((?<id>${NAME})\):\s*(?=\{)`, 'y'),
    begins: new RegExp(String.raw`@(?:${name})\(${NAME}\):[ \t]*(?:\{|$)`, 'y'), closes: [], isAlone: true, ...more,
  }
}

/** Dialects whose calls begin like ordinary lines of prose, code or data. */
export const LINE_DIALECTS: readonly Dialect[] = [
  named('react', 'ReAct', [
    json('Action:', String.raw`Action:[ \t]*${ACTION_NAME}[ \t]*Action Input:\s*(?=\S)`,
      String.raw`Action:[ \t]*${NAME}[ \t]*$`, {}),
    json('Action:', String.raw`Action:\s*${FENCE}${NEXT_LINE}(?=[[{])`, String.raw`Action:[ \t]*(?:${FENCE})?$`,
      { keys: KEYS, isFenced: true }),
    json('Action:', String.raw`Action:\s*(?=\[?\s*${CALL})`, String.raw`Action:[ \t]*(?:$|${BEGINS})`, { keys: KEYS }),
  ], {
    shape: 'Action: NAME\\nAction Input: {"KEY": "value"}', resultMark: 'Observation:',
    answers: ['Final Answer', 'final_answer'],
    source: "LangChain's agents (ReAct and structured chat), smolagents' ToolCallingAgent, Qwen-Agent",
  }),
  named('bare-json', 'bare JSON', [
    ...['{', '['].map((opens) => json(opens, `(?=(?:\\[\\s*)?${CALL})`, BEGINS, { keys: KEYS })),
    json('```', `${FENCE}${NEXT_LINE}(?=(?:\\[\\s*)?${CALL})`, `${FENCE}$`, { keys: KEYS, isFenced: true }),
  ], {
    shape: '{"name": "NAME", "arguments": {…}}',
    source: 'Llama 3.1 to 3.3: prompt format; OpenAI: tool_calls; what models write where nothing says how',
  }),
  named('pythonic', 'pythonic', [
    python('[', String.raw`(?=\[\s*[A-Za-z_][\w.]*\(\s*(?:\)|[A-Za-z_]\w*\s*=(?!=)))`,
      String.raw`\[[ \t]*(?:$|[A-Za-z_][\w.]*\([ \t]*(?:$|\)|[A-Za-z_]\w*[ \t]*=(?!=)))`),
  ], { shape: '[NAME(key="value"), NAME(key=1)]', source: 'Llama 3.2 and 4: prompt formats; ToolACE: model card' }),
  named('gptme', 'gptme', [
    gptme(GPTME_FILES.join('|'), {}), gptme(String.raw`\w{1,100}`, { isCommand: true }),
  ], { shape: '@TOOL(ID): {"KEY": "value"}', source: "gptme's tool format: gptme/tools/base.py" }),
]
