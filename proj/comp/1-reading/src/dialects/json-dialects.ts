import type { CallKeys, CallWriting, Dialect, JsonForm, PythonForm } from './dialect.js'

const NAME = String.raw`(?<name>[\w.:-]{1,200}?)`
const ARGUMENTS: CallKeys = { name: 'name', arguments: 'arguments', id: 'id' }
/** Keys of calls; some models write `arguments` in place of `parameters`. */
const PARAMETERS: readonly CallKeys[] = [
  { name: 'name', arguments: 'parameters' }, { name: 'name', arguments: 'arguments' },
]

/** A sentinel followed by one JSON value that holds calls. */
function calls(opens: string, keys: CallKeys | readonly CallKeys[], closes: readonly string[]): JsonForm {
  return { kind: 'json', opens, head: new RegExp(`${quoted(opens)}\\s*(?=[[{])`, 'y'), closes, keys: [keys].flat() }
}

/** A head with the tool's name, followed by its arguments. */
function named(opens: string, rest: string, closes: readonly string[]): JsonForm {
  return { kind: 'json', opens, head: new RegExp(`${quoted(opens)}${rest}`, 'y'), closes }
}

function pythonic(opens: string, before: string, closes: readonly string[]): PythonForm {
  return { kind: 'python', opens, head: new RegExp(`${quoted(opens)}\\s*(?=${before})`, 'y'), closes }
}

function quoted(text: string): string {
  return text.replace(/[|[\]]/g, '\\$&')
}

const HARMONY = String.raw`[ \t]*(?:(?:<\|constrain\|>)?[ \t]*(?:json|code)[ \t]*)?<\|message\|>\s*(?=\{|<\|)`

function harmony(opens: string, channel: string): JsonForm {
  return named(opens, String.raw`(?:functions\.)?${NAME}${channel}${HARMONY}`, ['<|call|>'])
}

/** Lists each tool by its definition for function calling. */
const AS_JSON: CallWriting['tools'] = { open: '', each: '%tool', between: '\n', close: '' }

/** Dialects whose arguments are JSON, or calls of Python. */
export const JSON_DIALECTS: readonly Dialect[] = [
  {
    name: 'deepseek', title: 'DeepSeek', shape: '<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>',
    wrappers: [{ open: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' }],
    forms: [
      {
        ...named('<｜tool▁call▁begin｜>',
          String.raw`\s*function\s*<｜tool▁sep｜>\s*${NAME}\s*\x60{3}(?:json)?[ \t]*(?=\{|$)`, ['<｜tool▁call▁end｜>']),
        isFenced: true,
      },
      named('<｜tool▁call▁begin｜>', String.raw`\s*${NAME}\s*<｜tool▁sep｜>\s*(?=\{)`, ['<｜tool▁call▁end｜>']),
    ],
    writing: {
      call: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>%name<｜tool▁sep｜>%args<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      tools: {
        open: '', each: '### %name\nDescription: %description\n\nParameters: %schema', between: '\n\n', close: '',
      },
    },
    source: 'DeepSeek-V3, R1 and V3.1: chat templates',
  },
  {
    name: 'kimi', title: 'Kimi K2',
    shape: '<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>',
    wrappers: [{ open: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>' }],
    forms: [
      named('<|tool_call_begin|>',
        String.raw`\s*(?<id>(?:functions\.)?${NAME}:\d+)\s*<\|tool_call_argument_begin\|>\s*(?=\{|<\|)`,
        ['<|tool_call_end|>']),
    ],
    writing: {
      call: '<|tool_calls_section_begin|><|tool_call_begin|>functions.%name:%index<|tool_call_argument_begin|>%args'
        + '<|tool_call_end|><|tool_calls_section_end|>',
      tools: AS_JSON,
    },
    source: 'Kimi-K2-Instruct: tool_call_guidance.md',
  },
  {
    name: 'mistral', title: 'Mistral', shape: '[TOOL_CALLS]NAME[ARGS]{…}', wrappers: [],
    forms: [
      calls('[TOOL_CALLS]', ARGUMENTS, []),
      named('[TOOL_CALLS]', String.raw`\s*${NAME}(?:\[CALL_ID\](?<id>\w{1,100}))?(?:\[ARGS\])?\s*(?=\{)`, []),
    ],
    writing: {
      call: '[TOOL_CALLS]%name[ARGS]%args',
      tools: { open: '[AVAILABLE_TOOLS][\n', each: '%tool', between: ',\n', close: '\n][/AVAILABLE_TOOLS]' },
    },
    source: 'mistral-common: tokenizers v3, v11 and v13',
  },
  {
    name: 'granite', title: 'Granite and Phi-4', shape: '<|tool_call|>[{"name": "…", "arguments": {…}}]', wrappers: [],
    forms: [
      calls('<|tool_call|>', ARGUMENTS, ['<|/tool_call|>']),
      { ...calls('<tool_call>', ARGUMENTS, ['</tool_call>']), head: /<tool_call>\s*(?=\[)/y },
    ],
    source: 'Granite 3, 3.1 with a list in <tool_call>: chat templates; Phi-4-mini: model card',
  },
  {
    name: 'command-r', title: 'Command R', wrappers: [],
    shape: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "…", "parameters": {…}}]<|END_ACTION|>',
    forms: [calls('<|START_ACTION|>', { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id' },
      ['<|END_ACTION|>'])],
    source: 'Command R7B and Command A: chat template',
  },
  {
    name: 'harmony', title: 'gpt-oss harmony', wrappers: [],
    shape: '<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>',
    // A message addressed to a tool is a call, also on the analysis channel.
    forms: [
      ...['', '<|start|>assistant'].flatMap((start) => ['commentary', 'analysis'].map((channel) => (
        harmony(`${start}<|channel|>${channel} to=`, '')))),
      harmony('<|start|>assistant to=', String.raw`[ \t]*<\|channel\|>(?:commentary|analysis)`),
    ],
    writing: {
      call: '<|channel|>commentary to=functions.%name <|constrain|>json<|message|>%args<|call|>',
      tools: {
        open: 'namespace functions {\n\n', each: '// %description\ntype %name = (_: {\n%parameters}) => any;',
        parameter: '// %description\n%key%optional: %ts,\n', between: '\n\n', close: '\n\n} // namespace functions',
      },
    },
    source: "OpenAI's harmony response format",
  },
  {
    name: 'jamba', title: 'Jamba and MiniMax M1', shape: '<tool_calls>[{"name": "…", "arguments": {…}}]</tool_calls>',
    wrappers: [{ open: '<tool_calls>', close: '</tool_calls>' }],
    forms: [{ ...calls('', ARGUMENTS, []), head: /\s*(?=[[{])/y }],
    source: 'Jamba 1.5 and MiniMax-M1: chat templates and guides',
  },
  {
    name: 'internlm', title: 'InternLM',
    shape: '<|action_start|><|plugin|>{"name": "…", "parameters": {…}}<|action_end|>',
    wrappers: [],
    forms: [{
      ...calls('<|action_start|>', PARAMETERS, ['<|action_end|>']),
      head: /<\|action_start\|>\s*(?:<\|plugin\|>)?\s*(?=\{)/y,
    }],
    source: 'InternLM2 and 3: agent protocol',
  },
  {
    name: 'nemotron', title: 'Nemotron', shape: '<TOOLCALL>[{"name": "…", "arguments": {…}}]</TOOLCALL>', wrappers: [],
    forms: [calls('<TOOLCALL>', ARGUMENTS, ['</TOOLCALL>'])],
    source: 'Nemotron Nano 2 and Llama-3.x-Nemotron: chat templates',
  },
  {
    name: 'llama', title: 'Llama', shape: '<|python_tag|>{"name": "…", "parameters": {…}}', wrappers: [],
    forms: [
      { ...calls('<|python_tag|>', PARAMETERS, ['<|eom_id|>', '<|eot_id|>']), separator: ';' },
      pythonic('<|python_tag|>', '[A-Za-z_][\\w.]*\\(', ['<|eom_id|>', '<|eot_id|>']),
    ],
    writing: { call: '<|python_tag|>{"name": "%name", "parameters": %args}', tools: AS_JSON },
    source: 'Llama 3.1 to 3.3: prompt format',
  },
  {
    name: 'lfm2', title: 'LFM2', shape: '<|tool_call_start|>[NAME(key="value")]<|tool_call_end|>', wrappers: [],
    forms: [
      pythonic('<|tool_call_start|>', '\\[?\\s*[A-Za-z_][\\w.]*\\(', ['<|tool_call_end|>']),
      calls('<|tool_call_start|>', ARGUMENTS, ['<|tool_call_end|>']),
    ],
    source: 'LFM2: chat template',
  },
]
