import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { writeTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { readTranscriptFile } from '../../2-transcripts/src/index.js'

const cli = useCli()
const ANSWER = [
  '#!SHAM [@three-char-SHA-256: abc]', 'action = "file_write"', 'path = "/w/a.txt"', 'content = "key hunter2hunter2"', '#!END_SHAM_abc', '',
  '<tool_call>{"name": "fs.readFile", "arguments": {"path": "a.txt"}}</tool_call>', '<tool_call>{"name": </tool_call>', '',
].join('\n')

const EVENTS = ['run', 'answer', 'block-start', 'block-end', 'block-start', 'block-end', 'parse-error', 'end']

/** Without what files were before. */
function lines(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type !== 'start' && type !== 'content')
}

describe('hermes apply', () => {
  it('--record adds each run as events, without secrets, and they are read as one transcript', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': ANSWER, 'p/': '' })
    const args = ['apply', 'answer.md', '--root', 'p', '--root-alias', '/w', '--no-git', '--record', 'run.jsonl']
    const env = { API_TOKEN: 'hunter2hunter2' }
    expect((await cli.run(args, { cwd, env })).exitCode).toBe(1)
    expect((await cli.run(args, { cwd, env })).exitCode).toBe(1)

    const file = join(cwd, 'run.jsonl')
    expect(lines(file).map(({ type }) => type)).toEqual([...EVENTS, ...EVENTS])
    expect(lines(file)[0]).toMatchObject({ version: 1, root: join(cwd, 'p'), rootAliases: ['/w'] })
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    const read = []
    for await (const item of readTranscriptFile(file)) read.push(item)
    expect(read).toHaveLength(1)
    expect(read[0]).toMatchObject({ transcript: { format: 'hermes', turns: [
      { role: 'assistant' }, { role: 'results', results: [{ outcome: { success: true } }, { outcome: { success: true, data: { content: `key ${'*'.repeat(14)}` } } }, { outcome: { success: false, code: 'INVALID_TOOL_CALL' } }] },
      { role: 'assistant' }, { role: 'results' },
    ] } })
  })

  it('--record keeps how the answer was read: a replay without a flag has the same results', async () => {
    const cwd = tempDir()
    const edit = 'a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n'
    writeTree(cwd, { 'answer.md': `${ANSWER.replace('/w/a.txt', 'b.txt')}\n${edit}`, 'p/a.txt': 'one\ntwo\n' })
    const flags = ['--relative-paths', '--edit-format', 'search-replace', '--no-git']
    expect((await cli.run(['apply', 'answer.md', '--root', 'p', ...flags, '--record', 'run.jsonl'], { cwd })).exitCode).toBe(1)
    const replayed = await cli.run(['replay', 'run.jsonl'], { cwd })
    expect([replayed.exitCode, replayed.stdout]).toEqual([0, expect.stringMatching(/^1 transcript · 4 same · /m)])
  })

  it('makes the directories of a recording, a trajectory and a report', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': ANSWER, 'p/': '' })
    const files = ['p/tests/transcripts/r.jsonl', 'lines/t.jsonl', 'reports/new/r.xml']
    const flags = ['--record', '--trajectory', '--report'].flatMap((flag, index) => [flag, files[index] ?? ''])
    expect((await cli.run(['apply', 'answer.md', '--root', 'p', '--root-alias', '/w', '--no-git', ...flags], { cwd })).exitCode).toBe(1)
    for (const file of files) expect(statSync(join(cwd, file)).size, file).toBeGreaterThan(0)
  })

  it('--record into the root is no change of the commands that run meanwhile: undo leaves it alone', async () => {
    const cwd = tempDir()
    const call = JSON.stringify({ name: 'exec', arguments: { lang: 'bash', code: 'echo more >> a.txt' } })
    writeTree(cwd, { 'answer.md': `<tool_call>${call}</tool_call>`, 'a.txt': 'one\n' })
    execFileSync('sh', ['-c', 'git init -q && git add -A && git -c user.name=T -c user.email=t@e commit -qm start'], { cwd })
    const args = ['apply', 'answer.md', '--record', 'run.jsonl', '--sandbox', 'none', '--yes', '--no-git']
    const { stdout, stderr } = await cli.run(args, { cwd })
    expect(`${stdout}${stderr}`).not.toContain('run.jsonl')
    const recorded = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
    expect((await cli.run(['undo'], { cwd })).exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(cwd, 'run.jsonl'), 'utf8')).toBe(recorded)
  })

  it('keeps the password for sudo out of all that tells what the answer said', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': ANSWER, 'p/': '', 'home/.env': 'SUDO_PASSWORD=hunter2hunter2\n' })
    chmodSync(join(cwd, 'home/.env'), 0o600)
    const files = ['run.jsonl', 'line.jsonl', 'page.html', 'page.md']
    await cli.run([
      'apply', 'answer.md', '--root', 'p', '--root-alias', '/w', '--no-git', '--record', 'run.jsonl',
      '--trajectory', 'line.jsonl', '--report', 'page.html', '--report', 'page.md',
    ], { cwd, env: { HERMES_HOME: join(cwd, 'home') } })
    for (const file of files) expect(readFileSync(join(cwd, file), 'utf8')).not.toContain('hunter2')
    expect(readFileSync(join(cwd, 'run.jsonl'), 'utf8')).toContain(`key ${'*'.repeat(14)}`)
  })

  it('--record keeps runs apart that are written at once, that were killed, and that ran otherwise', async () => {
    const cwd = tempDir()
    const write = (name: string) => `<tool_call>{"name": "fs.writeFile", "arguments": {"path": "${name}", "content": "x"}}</tool_call>\n`
    writeTree(cwd, { 'a.md': write('a'), 'b.md': `${write('b')}<tool_call>{"name": "nope"}</tool_call>\n`, 'c.md': `hm${write('c')}</think>\n`, 'p/': '' })
    const run = (answer: string, ...flags: string[]) => cli.run(['apply', answer, '--root', 'p', '--no-git', '--record', 'r.jsonl', ...flags], { cwd })
    await run('a.md', '--toolset', 'read-only')
    await run('b.md', '--atomic')
    await run('c.md', '--starts-in-think')
    const file = join(cwd, 'r.jsonl')
    const [first = [], second = [], third = []] = [0, 1, 2].map((nth) => {
      const runs = lines(file).filter(({ type }) => type === 'run').map(({ id }) => id)
      return lines(file).filter(({ type, id, run: of }) => (type === 'run' ? id : of) === runs[nth])
    })
    // The first is cut off in its results, in the middle of a line; the others come in turn.
    const mixed = [...first.slice(0, 2), ...Array.from({ length: 6 }, (_, index) => [second[index], third[index]]).flat()].filter(Boolean)
    writeFileSync(file, `${mixed.map((event) => JSON.stringify(event)).join('\n')}\n{"type":"block-e`)
    await run('a.md')

    const read = []
    for await (const item of readTranscriptFile(file)) read.push(item)
    expect(read[0]).toMatchObject({ bad: { code: 'INVALID_TRANSCRIPT' } })
    expect(read[1]).toMatchObject({ transcript: {
      settings: { toolsets: ['read-only'], gitCommit: false },
      turns: [
        { role: 'assistant', text: write('a') }, { role: 'results', results: [] },
        { role: 'assistant', settings: { atomic: true } }, { role: 'results', results: [{ outcome: { success: true } }, { outcome: { success: false } }] },
        { role: 'assistant', settings: { startsInThink: true } },
        { role: 'assistant', settings: { gitCommit: false } }, { role: 'results', results: [{ outcome: { success: true } }] },
      ],
    } })
    const { stdout } = await cli.run(['replay', 'r.jsonl', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ bad: 1, drifted: 0, counts: { same: 3, unrecorded: 1 } })
  })

  it('--trajectory adds each run as a line of the format asked for', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': '<think>\nhm\n</think>\n<tool_call>{"name": "fs.exists", "arguments": {"path": "a"}}</tool_call>\n', 'p/': '' })
    const args = ['apply', 'answer.md', '--root', 'p', '--trajectory', 't.jsonl']
    expect((await cli.run(args, { cwd })).exitCode).toBe(0)
    expect((await cli.run([...args, '--trajectory-as', 'openai'], { cwd })).exitCode).toBe(0)
    const [shareGpt, openAi] = lines(join(cwd, 't.jsonl'))
    expect(shareGpt).toEqual({ conversations: [
      { from: 'system', value: expect.stringMatching(/^<tools>\n\[\{.*"name":"fs\.exists".*\}\]\n<\/tools>$/) },
      { from: 'gpt', value: '<think>\nhm\n</think>\n\n<tool_call>\n{"name":"fs.exists","arguments":{"path":"a"}}\n</tool_call>' },
      { from: 'tool', value: '<tool_response>\n{"success":true,"data":{"exists":false}}\n</tool_response>' },
    ], hermes: { root: join(cwd, 'p') } })
    expect(openAi).toMatchObject({ messages: [
      { role: 'assistant', content: '<think>\nhm\n</think>', tool_calls: [{ id: 'call_1', function: { name: 'fs.exists', arguments: '{"path":"a"}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"success":true,"data":{"exists":false}}' },
    ], tools: [{ function: { name: 'fs.exists' } }] })
  })

  it.each([
    [['--record', 'answer.md'], 'hermes: --record answer.md is the answer itself\n'],
    [['--record', 'p/a'], 'hermes: p/a is there, and is no recording\n'],
    [['--record', 'p/a/run.jsonl'], 'hermes: Cannot write the recording p/a/run.jsonl (EEXIST)\n'],
    [['--trajectory', 'p/a/t.jsonl'], 'hermes: Cannot write the trajectory p/a/t.jsonl (EEXIST)\n'],
    [['--trajectory', 't.jsonl', '--trajectory-as', 'opena'], 'hermes: Unknown format of trajectories: opena\n  Did you mean openai?'],
    [['--record', 'r.jsonl', '--dry-run'], 'hermes: A dry run is no run to keep\n'],
  ])('refuses %j before anything runs', async (flags, message) => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': ANSWER, 'p/a': 'x' })
    const { exitCode, stderr, stdout } = await cli.run(['apply', 'answer.md', '--root', 'p', '--root-alias', '/w', ...flags], { cwd })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(readFileSync(join(cwd, 'answer.md'), 'utf8')).toBe(ANSWER)
  })

  it.runIf(process.platform === 'linux')('tells of a full disk when the blocks have run', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'answer.md'), ANSWER)
    const { exitCode, stderr, stdout } = await cli.run(['apply', 'answer.md', '--root-alias', '/w', '--record', '/dev/full'], { cwd })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('2 of 3 blocks succeeded')
    expect(stderr).toContain('Cannot write the recording /dev/full (ENOSPC)\n  The blocks did run: do not run them again')
  })

  it.runIf(process.platform === 'linux')('tells of a disk that takes only a part of the last line', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': ANSWER, 'p/': '' })
    const args = ['apply', 'answer.md', '--root', 'p', '--root-alias', '/w', '--no-git', '--record']
    await cli.run([...args, 'first.jsonl'], { cwd })
    await cli.run([...args, 'second.jsonl'], { cwd })
    // The same once more, in a file that may have 64 KiB: they end in the middle of the last line.
    const second = readFileSync(join(cwd, 'second.jsonl'), 'utf8')
    const half = Math.round((second.split('\n').at(-2) ?? '').length / 2)
    const run = '{"type":"run","version":1,"id":"before","root":"/w"}\n'
    writeFileSync(join(cwd, 'r.jsonl'), run.padEnd((64 << 10) - second.length + half, '\n'))
    const { status, stderr } = spawnSync('bash', [
      '-c', 'ulimit -f 64; exec "$@"', 'bash', process.execPath, cli.path, ...args, 'r.jsonl',
    ], { cwd, encoding: 'utf8' })
    expect(readFileSync(join(cwd, 'r.jsonl'), 'utf8')).toMatch(/\{"type":"end"[^\n]*$/)
    expect(stderr).toContain('Cannot write the recording r.jsonl (EFBIG)')
    expect(status).toBe(2)
  })
})
