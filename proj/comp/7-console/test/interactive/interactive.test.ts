import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { describeWithTerminal, openTerminal, type TestTerminal } from '../../../../test/support/terminal.js'
import { shamBlock, VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import { complete } from '../../src/interactive/name-completion.js'
import { readSubmission } from '../../src/interactive/submission.js'

const cli = useCli()
const ANSWER = `Some words.\n\n${shamBlock('abc', 'file_write', { path: '/w/a.txt', content: 'one\n\n/quit\n\ttwo\n' })}`
const RESPONSE = '{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}'
const STREAM = 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"ls","arguments":"{}"}}]}}]}\n\n'
  + 'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n'
const FLAGS = ['interactive', '--root-alias', '/w', '--sandbox', 'none', '--no-git']

describe('what was given so far', () => {
  it.each([
    ['', false, false], ['words', false, false],
    [ANSWER, true, false],
    [ANSWER.split('\n').slice(0, 5).join('\n'), true, true],
    // A fence that is open would make what follows quoted, or live.
    [`\`\`\`sh sham\n${ANSWER}\n`, true, true], [`\`\`\`sh sham\n${ANSWER}\n\`\`\`\n`, true, false],
    ['<think>\n', false, true], ['<!-- \n', false, true],
    ['verb: fs.exists\narguments:\n  path: a', true, false], ['verb: fs.exists', true, false], ['verb: fs.writeFile\narguments:\n  - ', true, true],
    ['{"verb": "fs.exists", "arguments": {"path": "a"}}', true, false], ['{"verb": "fs.exists",', true, true],
    ['```yaml hermes\nverb: fs.exists\n', true, true],
    // Saved responses.
    [RESPONSE, true, false], [RESPONSE.slice(0, -20), true, true], [STREAM, true, false], [STREAM.slice(0, STREAM.indexOf('\n\n') + 2), true, true],
    // Nearly a header: it may still get a body.
    ['#!SHAM\n', true, true],
  ])('%j', (text, hasAny, isOpen) => {
    expect(readSubmission(text)).toMatchObject({ hasAny, isOpen })
  })

  it('a bare envelope runs as in a fence, whatever fences it holds', () => {
    const { blocks } = readSubmission('verb: fs.writeFile\narguments:\n  path: a\n  content: |\n    ~~~~\n    ```\n')
    expect(blocks.map(({ action, params }) => [action, params])).toEqual([['fs.writeFile', { path: 'a', content: '~~~~\n```\n' }]])
  })
})

it.each([
  ['/un', '', ['/undo']], ['/tools fs.lineC', '', ['fs.lineCount']], ['verb: fs.lineC', '', ['fs.lineCount']],
  ['action = "file_replace_l', '', ['file_replace_lines']], ['{"name": "write_f', '', ['write_file']],
  ['new_', '#!SHAM [@three-char-SHA-256: abc]\naction = "file_replace_text"\n', ['new_text = "']],
  ['  endL', 'verb: fs.readRange\narguments:\n', ['endLine: ']],
  ['{"verb": "fs.readRange", "arguments": {"path": "a", "start', '', ['startLine": ']],
  ['content', 'path = "/w/a"\n', []], ['/un', 'pending', []], ['words', '', []],
])('Tab after %j offers %j', async (line, before, hits) => {
  expect((await complete({ line, before }, new VerbRegistry(VERBS), ['/undo', '/redo'])).hits).toEqual(hits)
})

describe('hermes interactive in a pipe', () => {
  it('runs at an empty line after a complete block, keeps its session, and runs what is left at the end', async () => {
    const cwd = tempDir()
    const input = `verb: fs.writeFile\narguments:\n  path: n.txt\n  content: x\n\n{"verb": "fs.exists", "arguments": {"path": "n.txt"}}\n\n/undo\n${ANSWER}`
    const { stdout, stderr, exitCode } = await cli.run(FLAGS, { cwd, input, env: { HOME: cwd } })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(stdout.replace(/\d+\.\d\d s/g, '0.00 s').replace(/run \S+/, 'run ID')).toBe([
      '✓  b1   fs.writeFile        n.txt  created', '', '1 of 1 block succeeded · 0.00 s',
      '✓  b1   fs.exists           n.txt  exists', '', '1 of 1 block succeeded · 0.00 s',
      'Undone: run ID', '  n.txt', '1 path as before.',
      '✓  abc  file_write          a.txt  created, 16 B', '', '1 of 1 block succeeded · 0.00 s', '',
    ].join('\n'))
    // Within a heredoc a command is content.
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n\n/quit\n\ttwo\n')
    expect(existsSync(join(cwd, '.hermes', 'history'))).toBe(false)
  })

  it('--json prints a line a run; a failure counts; --interactive is the same command', async () => {
    const { stdout, exitCode } = await cli.run(['--interactive', '--json', '--no-git'], {
      cwd: tempDir(), input: '{"verb": "fs.exists", "arguments": {"path": "a"}}\n\n/tools nope\n{"verb": "fs.readFile", "arguments": {"path": "a"}}\n/quit\n',
    })
    expect(stdout.trim().split('\n').map((line) => (JSON.parse(line) as { success: boolean }).success)).toEqual([true])
    expect(exitCode).toBe(0)
    const failed = await cli.run(['--interactive', '--no-git'], { cwd: tempDir(), input: '{"verb": "fs.readFile", "arguments": {"path": "a"}}\n\n/nope\n' })
    expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining('Unknown command: /nope\n  /help lists them.\n')])
  })
})

/** At a prompt, in a directory that is home and root. */
function prompt(cwd: string, flags: readonly string[] = [], env: Record<string, string> = {}): TestTerminal {
  return openTerminal(process.execPath, [cli.path, ...FLAGS, ...flags], { cwd, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd, ...env } })
}

/** As a user does it who has seen what was pasted: what comes right behind a paste is no key. */
async function enter(terminal: TestTerminal): Promise<void> {
  await sleep(100)
  terminal.type('\r')
}

const EMPTY_PROMPT = /hermes>$/

describeWithTerminal('hermes interactive at a terminal', () => {
  it('shows what was pasted, runs it with Enter, and shows, takes back and repeats it', async () => {
    const cwd = tempDir()
    const terminal = prompt(cwd)
    await terminal.waitFor(EMPTY_PROMPT)
    terminal.paste(ANSWER)
    await terminal.waitFor(/Pasted 13 lines, 1 block:\n {2}abc {2}file_write\nEnter runs it;.*\n +…>$/)
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
    await sleep(100)
    terminal.type('/diff\r')
    await terminal.waitFor(/new file a\.txt \(4 lines\)\n {4}\+one\n[^]*Nothing was changed; Enter runs it\.\n +…>$/)
    await enter(terminal)
    await terminal.waitFor(/✓ {2}abc {2}file_write {10}a\.txt {2}created, 16 B\n\n1 of 1 block succeeded · \d\.\d\d s\nhermes>$/)
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n\n/quit\n\ttwo\n')
    terminal.type('/diff\r')
    await terminal.waitFor(/hermes> \/diff\n {4}new file a\.txt/)
    await terminal.waitFor(EMPTY_PROMPT)
    terminal.type('/undo\r')
    await terminal.waitFor(/Undone: run .*\n {2}a\.txt\n1 path as before\.\nhermes>$/)
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
    // The same session edits what was taken back.
    terminal.paste(ANSWER)
    await terminal.waitFor(/…>$/)
    await enter(terminal)
    await terminal.waitFor((screen) => screen.split('1 of 1 block succeeded').length === 3 && EMPTY_PROMPT.test(screen))
    terminal.type('\x04')
    expect((await terminal.exited).exitCode).toBe(0)
  })

  it('completes, keeps its history for its owner only, and masks secrets in it', async () => {
    const cwd = tempDir()
    const secret = 'a-long-secret-value-1'
    const terminal = prompt(cwd, [], { MY_API_TOKEN: secret })
    await terminal.waitFor(EMPTY_PROMPT)
    terminal.type('verb: fs.wri')
    await terminal.waitFor(/fs\.wri$/)
    terminal.type('\t')
    await terminal.waitFor(/fs\.write$/)
    terminal.type('F')
    await terminal.waitFor(/fs\.writeF$/)
    terminal.type('\t')
    await terminal.waitFor(/> verb: fs\.writeFile$/)
    await enter(terminal)
    await terminal.waitFor(/…>$/)
    terminal.type('arguments:\r')
    await terminal.waitFor(/arguments:\n +…>$/)
    terminal.type('  co\t')
    await terminal.waitFor(/…> {3}content:$/)
    terminal.type(`${secret}\r`)
    await terminal.waitFor(/value-1\n +…>$/)
    terminal.type('  path: a.txt\r')
    await terminal.waitFor(/a\.txt\n +…>$/)
    await enter(terminal)
    await terminal.waitFor(/created[^]*hermes>$/)
    terminal.type('\x1b[A\x1b[A')
    await terminal.waitFor(/hermes> {3}content: a-long-secret-value-1$/)
    terminal.type('\x03')
    await terminal.waitFor(/\^C\nCtrl-D or \/quit ends; again Ctrl-C, too\.\nhermes>$/)
    terminal.type('\x03')
    expect((await terminal.exited).exitCode).toBe(0)
    const file = join(cwd, '.hermes', 'history')
    expect(readFileSync(file, 'utf8')).toBe('verb: fs.writeFile\narguments:\n  content: [masked MY_API_TOKEN]\n  path: a.txt\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    chmodSync(file, 0o644)
    const later = prompt(cwd)
    await later.waitFor(EMPTY_PROMPT)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    later.type('\x1b[A')
    await later.waitFor(/hermes> {3}path: a\.txt$/)
  })

  it('asks for approvals in place, and Ctrl-C cancels a run only', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'sub'))
    writeFileSync(join(cwd, 'sub', 'kept'), '')
    const terminal = prompt(cwd)
    await terminal.waitFor(EMPTY_PROMPT)
    const remove = shamBlock('rm', 'exec', { lang: 'bash', code: 'rm -rf sub' })
    terminal.paste(remove)
    await terminal.waitFor(/…>$/)
    await enter(terminal)
    await terminal.waitFor(/until this session ends[^]*\[d\]eny \(Enter: deny\)$/)
    terminal.type('s\r')
    await terminal.waitFor(/1 of 1 block succeeded[^]*hermes>$/)
    expect(existsSync(join(cwd, 'sub'))).toBe(false)
    // For the session: not asked again.
    terminal.paste(remove)
    await terminal.waitFor(/…>$/)
    await enter(terminal)
    await terminal.waitFor((screen) => screen.split('1 of 1 block succeeded').length === 3 && EMPTY_PROMPT.test(screen))

    terminal.paste(shamBlock('zzz', 'exec', { lang: 'bash', code: 'echo begun > begun; sleep 1000' }))
    await terminal.waitFor(/zzz {2}exec\n.*\n +…>$/)
    await enter(terminal)
    await terminal.waitFor(/^. exec {2}bash: echo begun/m)
    // A paste while it runs is neither run nor kept.
    terminal.type('/quit\r')
    terminal.type('\x03')
    await terminal.waitFor(/interrupted · 0 of 1 block succeeded[^]*hermes>$/)
    terminal.type('/nope\r')
    await terminal.waitFor(/Unknown command: \/nope\n {2}\/help lists them\.\nhermes>$/)
    process.kill(terminal.pid, 'SIGTERM')
    expect((await terminal.exited).exitCode).toBe(143)
  })

  it('what is typed while a run is under way approves nothing', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'sub'))
    const terminal = prompt(cwd)
    await terminal.waitFor(EMPTY_PROMPT)
    terminal.paste(`${shamBlock('one', 'exec', { lang: 'bash', code: 'sleep 2' })}\n${shamBlock('two', 'exec', { lang: 'bash', code: 'rm -rf sub' })}`)
    await terminal.waitFor(/…>$/)
    await enter(terminal)
    await terminal.waitFor(/^. 1\/2 {2}exec/m)
    terminal.type('once\r')
    await terminal.waitFor(/\[d\]eny \(Enter: deny\)$/)
    await sleep(300)
    expect(existsSync(join(cwd, 'sub'))).toBe(true)
    terminal.type('\r')
    await terminal.waitFor(/1 of 2 blocks succeeded[^]*hermes>$/)
    expect(existsSync(join(cwd, 'sub'))).toBe(true)
  })

  it('takes a large paste with tabs, control characters and marks of its own as text', async () => {
    const cwd = tempDir()
    const terminal = prompt(cwd)
    await terminal.waitFor(EMPTY_PROMPT)
    const content = Array.from({ length: 20_000 }, (_, line) => `\tline ${line}`).join('\n')
    terminal.paste(`${shamBlock('big', 'file_write', { path: '/w/big.txt', content: `${content}\n` })}\n`)
    await terminal.waitFor(/Pasted 200\d\d lines, 1 block:\n {2}big {2}file_write\n[^]*…>$/)
    await enter(terminal)
    await terminal.waitFor(/big\.txt {2}created[^]*hermes>$/)
    expect(readFileSync(join(cwd, 'big.txt'), 'utf8')).toBe(`${content}\n`)
    // A text that ends its paste itself presses no key, and nothing of it is lost.
    terminal.type('\x1b[200~harmless\x1b[201~ and\r/quit\r\x1b[201~')
    await terminal.waitFor(/Pasted 2 lines, 0 blocks\nThere is no block in it\. Go on, or \/drop\.\n +…>$/)
    await sleep(100)
    terminal.type('/show\r')
    await terminal.waitFor(/\| harmless and\n +\| \/quit\n[^]*…>$/)
    terminal.type('/drop\r')
    await terminal.waitFor(/Dropped 2 lines\.\nhermes>$/)
    // One line goes into the line that is typed, and presses no key.
    terminal.paste('/tools\tfs.exists\x03')
    await terminal.waitFor(/hermes> \/tools {2}fs\.exists$/)
    await enter(terminal)
    await terminal.waitFor(/fs\.exists {2}file, read[^]*hermes>$/)
  })
})
