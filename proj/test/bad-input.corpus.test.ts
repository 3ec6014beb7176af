import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectAccounts } from '../comp/5-executor/test/executor/accounts.js'
import { type ExecutionResult, execute } from '../src/index.js'
import { isCampaign, spread } from './support/campaign.js'
import { useCli } from './support/cli.js'
import { tempDir } from './support/temp-dir.js'

const HEADER = '#!SHAM [@three-char-SHA-256: abc]\n'
const END = '#!END_SHAM_abc\n'
const MEGABYTE = 1_000_000
/** Enough for what takes the square of it, or a stack, to show. */
const MANY = isCampaign ? 5_000 : 1_000
const GARBAGE = (isCampaign ? 50 : 10) * MEGABYTE
const yaml = (body: string): string => `\`\`\`yaml hermes\n${body}\n\`\`\`\n`
const call = (args: string): string => `<tool_call>{"name": "ls", "arguments": ${args}}</tool_call>\n`
const many = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('')

interface BadInput {
  name: string
  text: () => string
  /** What execute says of it. */
  blocks: number
  /** Codes of its parse errors and failed results, each once. */
  codes: string[]
}

const CASES: BadInput[] = [
  { name: 'nothing', text: () => '', blocks: 0, codes: [] },
  { name: 'white space', text: () => ' \n\t\r\n\u00a0\ufeff', blocks: 0, codes: [] },
  { name: 'no blocks', text: () => 'Just words.\n', blocks: 0, codes: [] },
  {
    name: `${GARBAGE} bytes of garbage`,
    text: () => 'lorem <x> & `y` #!SH [\u001b[31m] \u{1f600} \n'.repeat(GARBAGE / 40),
    blocks: 0,
    codes: [],
  },
  {
    name: `${MANY} malformed lines in one block`,
    text: () => `${HEADER}${'this is no assignment\n'.repeat(MANY)}${END}`,
    blocks: 1,
    codes: ['MALFORMED_ASSIGNMENT'],
  },
  {
    name: `${MANY} wrong operators in one block`,
    text: () => `${HEADER}${'key := "a"\n'.repeat(MANY)}${END}`,
    blocks: 1,
    codes: ['INVALID_ASSIGNMENT_OPERATOR'],
  },
  {
    name: `${MANY} times the same key`,
    text: () => `${HEADER}${'key = "a"\n'.repeat(MANY)}${END}`,
    blocks: 1,
    codes: ['DUPLICATE_KEY'],
  },
  {
    name: `${2 * MANY} tool calls on one line`,
    text: () => '<tool_call>{"name":"nope"}</tool_call>'.repeat(2 * MANY), blocks: 2 * MANY, codes: ['UNKNOWN_ACTION'],
  },
  {
    name: 'an action of 200,000 blanks',
    text: () => `<tool_call>{"name":"${' '.repeat(200_000)}x"}</tool_call>`, blocks: 1, codes: ['UNKNOWN_ACTION'],
  },
  { name: '10,000 nested quotes', text: () => `${'>'.repeat(10_000)} ${HEADER}`, blocks: 0, codes: [] },
  { name: '10,000 nested list items', text: () => `${'- '.repeat(10_000)}${HEADER}`, blocks: 0, codes: [] },
  { name: '100,000 fences', text: () => '```\n'.repeat(100_000), blocks: 0, codes: [] },
  {
    name: `${MANY} envelopes`,
    text: () => yaml('verb: nope').repeat(MANY),
    blocks: MANY,
    codes: ['UNKNOWN_ACTION'],
  },
  {
    name: `${MANY} openers of envelopes`,
    text: () => '```yaml hermes\n'.repeat(MANY),
    blocks: MANY,
    codes: ['UNCLOSED_BLOCK'],
  },
  { name: `${MANY} headers`, text: () => HEADER.repeat(MANY), blocks: MANY, codes: ['UNCLOSED_BLOCK'] },
  { name: `${MANY} end markers`, text: () => END.repeat(MANY), blocks: MANY, codes: ['MISMATCHED_END'] },
  {
    name: `${MANY} unclosed heredocs`,
    text: () => many(MANY, (index) => {
      const id = `a${index.toString(36)}`
      return `#!SHAM [@x: ${id}]\na = <<'EOT_SHAM_${id}'\n#!END_SHAM_${id}\n`
    }),
    blocks: MANY,
    codes: ['UNCLOSED_HEREDOC'],
  },
  {
    name: 'deep YAML',
    text: () => yaml(`verb: ls\narguments: {path: ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    blocks: 1,
    codes: ['INVALID_ENVELOPE'],
  },
  {
    name: 'deep YAML by indentation',
    text: () => yaml(`verb: ls\narguments:\n${many(1_000, (index) => `${' '.repeat(index + 1)}a:\n`)}`),
    blocks: 1,
    codes: ['INVALID_ENVELOPE'],
  },
  {
    name: 'aliases in YAML',
    text: () => yaml(`verb: ls\narguments: {a: &a [x], b: [${'*a, '.repeat(10_000)}]}`),
    blocks: 1,
    codes: ['INVALID_ENVELOPE'],
  },
  {
    name: `${MANY} bad documents`,
    text: () => yaml('verb: [\n---\n'.repeat(MANY)),
    blocks: MANY,
    codes: ['INVALID_ENVELOPE'],
  },
  {
    name: 'deep JSON',
    text: () => call(`{"path": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    blocks: 1,
    codes: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'deep objects',
    text: () => call(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    blocks: 1,
    codes: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'deep JSON in single quotes',
    text: () => call(`{'path': ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    blocks: 1,
    codes: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'deep JSON that never ends, in a fence',
    text: () => `\`\`\`json hermes\n${'['.repeat(100_000)}\n\`\`\`\n`,
    blocks: 1,
    codes: ['INVALID_ENVELOPE'],
  },
  {
    name: 'deep JSON in a string',
    text: () => call(JSON.stringify('['.repeat(100_000))),
    blocks: 1,
    codes: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'deep JSON that never ends',
    text: () => `<tool_call>${'['.repeat(100_000)}`,
    blocks: 1,
    codes: ['UNCLOSED_BLOCK'],
  },
  { name: 'a line of 5 MB', text: () => 'x'.repeat(5 * MEGABYTE), blocks: 0, codes: [] },
  {
    name: 'an end marker of 5 MB',
    text: () => `#!END_SHAM${'x'.repeat(5 * MEGABYTE)}\n`,
    blocks: 1,
    codes: ['MISMATCHED_END'],
  },
  {
    name: 'a wrong header of 5 MB',
    text: () => `#!SHAM ${'x'.repeat(5 * MEGABYTE)}\n`,
    blocks: 1,
    codes: ['MALFORMED_HEADER'],
  },
  {
    name: 'a block on one line',
    text: () => `#!SHAM [@three-char-SHA-256: abc] action = "file_write" content = "${'x'.repeat(3_000)}" #!END_SHAM_abc\n`,
    blocks: 1,
    codes: ['MALFORMED_HEADER'],
  },
  {
    name: 'an action of 5 MB',
    text: () => `${HEADER}action = "${'x'.repeat(5 * MEGABYTE)}"\n${END}`,
    blocks: 1,
    codes: ['UNKNOWN_ACTION'],
  },
  {
    name: 'a key of 5 MB',
    text: () => `${HEADER}${'x'.repeat(5 * MEGABYTE)} = "x"\n${END}`,
    blocks: 1,
    codes: ['INVALID_KEY'],
  },
  {
    name: 'a string of 5 MB without its end',
    text: () => `${HEADER}action = "${'x'.repeat(5 * MEGABYTE)}\n${END}`,
    blocks: 1,
    codes: ['UNCLOSED_QUOTE'],
  },
  {
    name: 'a path of 5 MB',
    text: () => call(`{"path": "/${'x'.repeat(5 * MEGABYTE)}"}`),
    blocks: 1,
    codes: ['POLICY_DENIED'],
  },
  {
    name: 'a parameter name of 5 MB',
    text: () => call(`{"path": "/", "${'x'.repeat(5 * MEGABYTE)}": 1}`),
    blocks: 1,
    codes: ['UNKNOWN_PARAMETER'],
  },
]

/** No message is as long as what it complains about. */
function expectShort(result: ExecutionResult): void {
  const messages = [
    ...result.results.flatMap(({ error = '', hint = '' }) => [error, hint]),
    ...result.parseErrors.flatMap(({ error }) => [error.message, error.hint ?? '']),
    ...result.skipped.map(({ reason }) => reason),
  ]
  expect(Math.max(0, ...messages.slice(0, 1_000).map((message) => message.length))).toBeLessThan(5_000)
}

describe('bad input, through the library', () => {
  it.each(CASES)('$name', async ({ text, blocks, codes }) => {
    const root = tempDir()
    const result = await execute(text(), { root })
    expectAccounts(result)
    expect(result.totalBlocks).toBe(blocks)
    const found = [...result.results.map(({ code }) => code), ...result.parseErrors.map(({ error }) => error.code)]
    expect([...new Set(found)].sort()).toEqual(codes)
    expect(readdirSync(root)).toEqual([])
    expectShort(result)
  })

  it('reports of one block at most some dozens of errors of its body', async () => {
    const { parseErrors } = await execute(`${HEADER}${'this is no assignment\n'.repeat(5_000)}${END}`, { root: tempDir() })
    expect(parseErrors.length).toBeLessThan(100)
    expect(parseErrors.map(({ error }) => error.message).join()).toMatch(/\d more lines/)
  })
})

describe('bad input, through the command line', () => {
  const cli = useCli()
  it.each(spread(CASES, 8))('$name', async ({ text, codes }) => {
    const cwd = tempDir()
    const { stdout, stderr, exitCode } = await cli.run(['apply', '-', '--json'], { cwd, input: text() })
    expect(stderr).toBe('')
    expect(exitCode).toBe(codes.length === 0 ? 0 : 1)
    const result = JSON.parse(stdout) as ExecutionResult
    expectAccounts(result)
    expect(readdirSync(cwd)).toEqual([])
  })

  it.each(spread(CASES, 8, 4))('$name, for people', async ({ text, codes }) => {
    const { stdout, stderr, exitCode } = await cli.run(['apply'], { cwd: tempDir(), input: text() })
    expect(exitCode).toBe(codes.length === 0 ? 0 : 1)
    expect(stderr).toBe('')
    expect(stdout).toMatch(codes.length === 0 ? /[Nn]o (live )?blocks found|^The text is empty/ : /did not parse|failed/)
    expect(/^\s+at .+:\d+:\d+\)?$/m.test(stdout)).toBe(false)
    expect([...stdout].filter((char) => char < ' ' && char !== '\n')).toEqual([])
  })

  it('bytes that are no UTF-8', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['apply'], { cwd: tempDir(), input: new Uint8Array([0x23, 0x21, 0xff, 0xfe, 0x0a]) })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/UTF-8/)
    expect(stdout + stderr).not.toMatch(/^\s+at /m)
  })
})
