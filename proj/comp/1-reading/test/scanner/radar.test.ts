import { describe, expect, it } from 'vitest'
import { OPENERS, Radar } from '../../src/scanner/radar/index.js'

const radar = new Radar()

function names(text: string): string[] {
  return radar.sightings(text, 0, text.length).map(({ row }) => row.name)
}

describe('sights an opener first on its line', () => {
  it.each([
    ['SHAM', '#!SHAM [@three-char-SHA-256: abc]'], ['SHAM', '#!nesl abc'], ['SHAM', '# !sham [x]'],
    ['SHAM', '#SHAM [abc]'], ['SHAM', '＃！SHAM [abc]'], ['SHAM', '＃!NESL'], ['SHAM', '`#!SHAM [abc]`'],
    ['SHAM', '\u00a0#!SHAM [abc]'], ['SHAM', '- #!SHAM [abc]'], ['SHAM', '1. #!SHAM [abc]'],
    ['SHAM', 'So:\r#!SHAM [abc]\raction = "ls"'], ['SHAM', '"So:\\n#!SHAM [abc]\\n"'], ['SHAM', 'So:\u2028#!SHAM'],
    ['hermes fence', '```yaml hermes'], ['hermes fence', '~~~json hermes'], ['hermes fence', '```json:hermes'],
    ['hermes fence', '```yaml-hermes'], ['hermes fence', '```json {hermes}'],
    ['tool call', '<tool_call>'], ['tool call', '<tool-call>{"name": "a"}'], ['tool call', 'Now <tool_call>{"a": 1}'],
    ['tool call', '&lt;tool_call&gt;'], ['tool call', '<function_call>'], ['tool call', '</tool_call><tool_call>'],
    ['Anthropic', '<function_calls>'], ['Anthropic', '<invoke name="Bash">'],
    ['Qwen3-Coder', '<function=read_file>'], ['Qwen3-Coder', '<function=ls>{"path": "."}</function>'],
    ['Llama', '<|python_tag|>{"name": "a"}'], ['Llama', 'Sure. <|python_tag|>brave_search.call(query="x")'],
    ['Mistral', '[TOOL_CALLS][{"name": "a"}]'], ['Mistral', '[TOOL_CALLS]ls[ARGS]{}'],
    ['DeepSeek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function'], ['DeepSeek', '<｜tool▁call▁begin｜>ls'],
    ['DeepSeek', '<｜DSML｜function_calls>'], ['DeepSeek', '<｜DSML｜invoke name="ls">'],
    ['Kimi K2', '<|tool_calls_section_begin|>'], ['Kimi K2', '<|tool_call_begin|>functions.ls:0'],
    ['LFM2', '<|tool_call_start|>[ls()]<|tool_call_end|>'], ['Granite or Phi-4', '<|tool_call|>[{"name": "a"}]'],
    ['Command R', '<|START_ACTION|>['], ['InternLM', '<|action_start|><|plugin|>'],
    ['gpt-oss harmony', '<|channel|>commentary to=functions.ls <|message|>{}'],
    ['MiniMax', '<tool_calls>'], ['MiniMax', '<minimax:tool_call>'], ['Seed-OSS', '<seed:tool_call>'],
    ['Nemotron', '<TOOLCALL>[{"name": "a"}]</TOOLCALL>'], ['Functionary', 'functools[{"name": "a"}]'],
    ['Cline', '<write_to_file>'], ['Cline', '<read_file><path>a</path></read_file>'], ['Roo Code', '<apply_diff>'],
    ['bolt.new', '<boltAction type="shell">npm test</boltAction>'], ['dyad', '<dyad-write path="a.ts">'],
    ['Lovable', '<lov-write file_path="a.ts">'], ['<file path>', '<file path="a.ts">'],
    ['ReAct', 'Action: ls\nAction Input: {"path": "."}'], ['gptme', '@save(call-1): {"path": "a"}'],
    ['gptme', '```save a.txt'], ['gptme', '```patch a.txt'], ['Gemma', '```tool_code'],
  ])('%s: %s', (name, text) => {
    expect(names(`Prose.\n${text}\nProse.\n`)).toEqual([name])
    expect(names(text)).toEqual([name])
  })
})

it.each([
  'A header is `#!SHAM [@three-char-SHA-256: abc]` and an id.', '`#!SHAM` begins one.', '# SHAM', '#shambles',
  'The `<tool_call>{"name": "a"}` tag.', 'The tag <tool_call> opens a call.', '`[TOOL_CALLS][{}]` is a token.',
  '[TOOL_CALLS] is a token of Mistral.', '<read_file> reads a file.', 'Use <write_to_file> for that.',
  '<function_calls> hold <invoke> tags.', '```sh', '```yaml', '```hermes` is code', 'if (a <b) return functools[b]',
  'Write <|python_tag|> first.', 'hermes.yaml', 'the hermes fence',
])('sights nothing in %s', (text) => {
  expect(names(`Prose.\n${text}\nProse.\n`)).toEqual([])
})

it('sights one opener a line, in order, and counts from the start of the whole text', () => {
  const text = '<invoke name="a">\n\n[TOOL_CALLS][{}] <|python_tag|>{}\n#!SHAM abc\n'
  const whole = radar.sightings(text, 0, text.length)
  expect(whole.map(({ at, lineStart }) => [at, lineStart])).toEqual([[0, 0], [19, 19], [53, 53]])
  expect(radar.sightings(text, 19, text.length)).toEqual(whole.slice(1))
})

it('names no row that is not there', () => {
  const known = new Set(OPENERS.map(({ name }) => name))
  expect(OPENERS.flatMap(({ holds }) => holds ?? []).filter((name) => !known.has(name))).toEqual([])
})
