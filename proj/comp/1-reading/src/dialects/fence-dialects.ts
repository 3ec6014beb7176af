import type { Dialect, FenceForm } from './dialect.js'

/** A tool of gptme whose info string has a path. */
function onFile(name: string, body: string): FenceForm {
  return { languages: [name], calls: { name, body }, rest: 'path' }
}

const PYTHON = { name: 'exec', body: 'code', fixed: { lang: 'python' } }
const BASH = { ...PYTHON, fixed: { lang: 'bash' } }

/** Dialects of harnesses whose calls stand in fences. */
export const FENCE_DIALECTS: readonly Dialect[] = [
  {
    name: 'gptme', named: 'gptme', title: 'gptme', wrappers: [], forms: [],
    fences: [
      onFile('save', 'content'), onFile('append', 'content'),
      { ...onFile('patch', 'patch'), begins: /^<{7} ORIGINAL/ },
      { languages: ['shell'], calls: { name: 'shell', body: 'command' }, isCommand: true },
      { languages: ['ipython'], calls: PYTHON, isCommand: true },
    ],
    shape: '```save PATH\\ntext\\n```', source: 'gptme/tools: save, patch, shell, python',
  },
  {
    name: 'tool-code', named: 'tool-code', title: 'Gemma', wrappers: [], forms: [],
    fences: [{ languages: ['tool_code'], isCommand: true }], shape: '```tool_code\\nNAME(key="value")\\n```',
    source: "Gemma 3: function calling guide; Gemini's default_api",
  },
  {
    name: 'mini-swe-agent', named: 'mini-swe-agent', title: 'mini-swe-agent', wrappers: [], forms: [], isSingle: true,
    fences: [{ languages: ['bash', 'mswea_bash_command'], calls: BASH, isCommand: true }],
    shape: '```bash\\nCOMMANDS\\n```', source: 'mini-swe-agent: action_regex of its configurations',
  },
  {
    name: 'swe-agent', named: 'swe-agent', title: 'SWE-agent', wrappers: [], forms: [], isSingle: true,
    fences: [{
      languages: ['', 'bash', 'sh'], calls: BASH, isCommand: true,
      runsAs: ['read_file', 'list_directory', 'search_files', 'write_file', 'file_replace_text', 'fs.writeRange'],
    }],
    shape: '```\\nCOMMAND\\n```', source: 'SWE-agent: ThoughtActionParser, tools/',
  },
  {
    name: 'smolagents', named: 'smolagents', title: 'smolagents', wrappers: [],
    forms: [{
      kind: 'tag', opens: '<code>', head: /<code>(?<attributes>)/y, verb: PYTHON.name, attributes: {},
      fixed: PYTHON.fixed, body: PYTHON.body, close: '</code>', isCommand: true,
    }],
    fences: [{ languages: ['py', 'python'], calls: PYTHON, after: '<end_code>', isCommand: true }],
    shape: '<code>\\nCODE\\n</code>', source: 'smolagents: code_agent.yaml',
  },
]
