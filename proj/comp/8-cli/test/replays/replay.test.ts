import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { content, conversation, reads } from '../../../../test/support/conversations.js'
import { readTree, writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const examples = fileURLToPath(new URL('../../../../../examples/transcripts', import.meta.url))

const MISSING = { success: false, code: 'ENOENT', error: "ENOENT: no such file or directory, fs.readFile 'b'" }

describe('hermes replay', () => {
  it('of the examples finds one of each format, and no drift', async () => {
    const { stdout, exitCode } = await cli.run(['replay', examples, '--json', '--sandbox', 'none'], { cwd: tempDir() })
    const report = JSON.parse(stdout) as { transcripts: number; counts: Record<string, number>; reports: { format: string }[] }
    expect(report).toMatchObject({ transcripts: 9, drifted: 0, bad: 0, counts: { 'same': 17, 'unmapped': 1, 'skipped': 2, 'unrecorded': 0 } })
    expect(exitCode).toBe(0)
  })

  it('says where an assistant speaks and nothing is found to run, which --strict does not let pass', async () => {
    const cwd = tempDir()
    const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text: '<execute><command>ls</command></execute>' }], stop_reason: 'end_turn' }
    writeTree(cwd, { 'a.json': JSON.stringify(message), 'b.jsonl': '{"messages":[{"role":"user","content":"Hi"}]}\n' })
    const { stdout, exitCode } = await cli.run(['replay', 'a.json', 'b.jsonl'], { cwd })
    expect([exitCode, stdout.replace(/\d+\.\d\d s$/m, '0.00 s').split('\n')]).toEqual([0, [
      '–  a.json: neither blocks nor calls were found in what the assistant says (1 turn)',
      '',
      '2 transcripts · 0 same · 1 with nothing to run · 0.00 s',
      '',
    ]])
    expect((await cli.run(['replay', 'a.json', '--strict'], { cwd })).exitCode).toBe(1)
    expect((await cli.run(['replay', 'b.jsonl', '--strict'], { cwd })).exitCode).toBe(0)
  })

  it('tells what drifted, in every report', async () => {
    const cwd = tempDir()
    writeTree(cwd, {
      'fixture/a': 'new\n',
      't.jsonl': [
        reads('a', content('new\n')), reads('a', content('old\n')), reads('b', content('x')), reads('a', MISSING), '{"conversations": [',
      ].join('\n'),
    })
    const args = ['replay', 't.jsonl', '--fixture', 'fixture', '--report', 'r.json', '--report', 'r.md', '--report', 'r.xml', '--github']
    const { stdout, exitCode } = await cli.run(args, { cwd })
    expect(exitCode).toBe(1)
    expect(stdout.replace(/\d+\.\d\d s$/m, '0.00 s')).toBe([
      '✗  t.jsonl:5  The line is no JSON  INVALID_TRANSCRIPT',
      '    hint: A line that was cut off cannot be mended: leave it out.',
      '✗  t.jsonl#2  t.jsonl:2',
      '    changed  fs.readFile  (block 1, turn 1)',
      '      │  data.content:',
      '      │ -  | old',
      '      │ +  | new',
      '      │    | ',
      '      │  success: true',
      '✗  t.jsonl#3  t.jsonl:3',
      '    newly failing  fs.readFile  (block 1, turn 1)',
      '      │ -data.content: x',
      '      │ -success: true',
      '      │ +code: ENOENT',
      "      │ +error: ENOENT: no such file or directory, fs.readFile 'b'",
      '      │ +success: false',
      '✗  t.jsonl#4  t.jsonl:4',
      '    newly passing  fs.readFile  (block 1, turn 1)',
      '      │ -code: ENOENT',
      "      │ -error: ENOENT: no such file or directory, fs.readFile 'b'",
      '      │ -success: false',
      '      │ +data.content:',
      '      │ +  | new',
      '      │ +  | ',
      '      │ +success: true',
      '',
      '4 transcripts · 3 drifted · 1 unreadable · 1 same · 1 changed · 1 newly failing · 1 newly passing · 0.00 s',
      '::error file=t.jsonl,line=5,title=unreadable transcript::INVALID_TRANSCRIPT: The line is no JSON',
      '::error file=t.jsonl,line=2,title=t.jsonl#2 drifted::changed: fs.readFile (block 1, turn 1)',
      '::error file=t.jsonl,line=3,title=t.jsonl#3 drifted::newly failing: fs.readFile (block 1, turn 1)',
      '::error file=t.jsonl,line=4,title=t.jsonl#4 drifted::newly passing: fs.readFile (block 1, turn 1)',
      '',
    ].join('\n'))
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ drifted: 3, bad: 1, badRecords: [{ line: 5 }] })
    expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toMatch(/^# Replay: 3 transcripts drifted\n[^]*```diff\n data\.content:\n-\s+\| old\n/)
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('<testsuites tests="5" failures="3" errors="1"')
    expect(readTree(join(cwd, 'fixture'))).toEqual({ a: 'new\n' })
  })

  it('of what a folder brings along, runs no hook and takes no path outside', async () => {
    const cwd = tempDir()
    const hook = `#!/bin/sh\ntouch ${join(cwd, 'ran')}\n`
    writeTree(cwd, { 't/replay.yaml': 'fixture: f\n', 't/f/a': 'x', 't/t.jsonl': conversation({ name: 'fs.writeFile', arguments: { path: 'b', content: 'B' } }, { success: true, data: {} }) })
    execFileSync('git', ['init', '-q', 't/f'], { cwd })
    for (const name of ['pre-commit', 'post-commit', 'post-index-change']) writeFileSync(join(cwd, 't/f/.git/hooks', name), hook, { mode: 0o755 })
    expect(await cli.run(['replay', 't'], { cwd })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 transcript · 1 same') })
    expect(existsSync(join(cwd, 'ran'))).toBe(false)

    writeTree(cwd, { 'secret/t/key': 'k', 't/replay.yaml': 'fixture: out/{name}\n' })
    symlinkSync(join(cwd, 'secret'), join(cwd, 't', 'out'))
    expect((await cli.run(['replay', 't'], { cwd })).stderr).toContain('t/out leads out of t')
    mkdirSync(join(cwd, 't', 'in'))
    symlinkSync(join(cwd, 'secret', 't'), join(cwd, 't', 'in', 't'))
    writeTree(cwd, { 't/replay.yaml': 'fixture: in/{name}\n' })
    expect((await cli.run(['replay', 't/t.jsonl'], { cwd })).stdout).toContain('leads out of t  POLICY_DENIED')
    writeTree(cwd, { 't/replay.yaml': 'expect: in/{name}\n' })
    expect((await cli.run(['replay', 't/t.jsonl'], { cwd })).stdout).toContain('leads out of t  POLICY_DENIED')

    writeTree(cwd, {
      'secret/m.yaml': 'tools:\n  show: { verb: fs.readFile }\n', 'secret/bad.yaml': 'token: s3cret\n',
      't/m.yaml': 'extends: [../secret/m.yaml]\n', 't/replay.yaml': 'mappings: [m.yaml]\n',
    })
    expect(await cli.run(['replay', 't'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('secret/m.yaml leads out of t') })
    rmSync(join(cwd, 't', 'm.yaml'))
    symlinkSync(join(cwd, 'secret', 'm.yaml'), join(cwd, 't', 'm.yaml'))
    expect(await cli.run(['replay', 't'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('t/m.yaml leads out of t') })
    rmSync(join(cwd, 't', 'replay.yaml'))
    symlinkSync(join(cwd, 'secret', 'bad.yaml'), join(cwd, 't', 'replay.yaml'))
    const { exitCode, stderr } = await cli.run(['replay', 't'], { cwd })
    expect([exitCode, stderr.includes('t/replay.yaml leads out of t'), stderr.includes('token')]).toEqual([2, true, false])
  })

  it('prints no line of a result that a CI would take for a command', async () => {
    const cwd = tempDir()
    const printed = (text: string) => conversation({ name: 'show', arguments: { file: 'a' } }, text)
    writeTree(cwd, { 'f/a': '::error::one\nnew\n', 't.jsonl': printed('::error::one\nold'), 'm.yaml': 'tools:\n  show: { verb: fs.readFile, arguments: { path: file }, result: { text: [content] } }\n' })
    const { stdout } = await cli.run(['replay', 't.jsonl', '--fixture', 'f', '--mapping', 'm.yaml'], { cwd })
    expect(stdout).toContain('::error::one')
    expect(stdout.split('\n').filter((line) => line.trimStart().startsWith('::'))).toEqual([])
  })

  it('--update makes what came now the record, and changes nothing else', async () => {
    const cwd = tempDir()
    const good = reads('a', content('new\n'))
    writeTree(cwd, { 'fixture/a': 'new\n', 't.jsonl': `${good}\n${reads('a', content('old\n'))}\n\nnot json\n` })
    const args = ['replay', 't.jsonl', '--fixture', 'fixture']
    expect((await cli.run([...args, '--update'], { cwd })).stderr).toBe('Rewrote 1 result in 1 file\n')
    const lines = readFileSync(join(cwd, 't.jsonl'), 'utf8').split('\n')
    expect([lines[0], lines[2], lines[3], lines[4]]).toEqual([good, '', 'not json', ''])
    expect((await cli.run(args, { cwd })).stdout).toContain('2 transcripts · 1 unreadable · 2 same')
  })

  it('of results in another form tells what fails now, and --update leaves the others as they are', async () => {
    const cwd = tempDir()
    const [fine, gone, broken] = [reads('a', 'new'), reads('b', 'there it is'), reads('b', 'Error: no such file')]
    writeTree(cwd, { 'fixture/a': 'new\n', 't.jsonl': `${fine}\n${gone}\n${broken}\n`, 'md/1.md': '<tool_call>{"name": "fs.readFile", "arguments": {"path": "a"}}</tool_call>\n' })
    const args = ['replay', 't.jsonl', 'md', '--fixture', 'fixture']
    const { stdout, exitCode } = await cli.run(args, { cwd })
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('4 transcripts · 1 drifted · 0 same · 1 newly failing · 3 unrecorded')])
    expect((await cli.run([...args, '--update'], { cwd })).stderr).toBe('Rewrote 2 results in 2 files\n')
    const lines = readFileSync(join(cwd, 't.jsonl'), 'utf8').split('\n')
    expect([lines[0], lines[2]]).toEqual([fine, broken])
    expect(lines[1]).toContain('ENOENT')
    expect((await cli.run(args, { cwd })).stdout).toContain('4 transcripts · 2 same · 2 unrecorded')
  })

  it('--update keeps the words of results that stand beside an answer and are the same', async () => {
    const cwd = tempDir()
    const call = (path: string) => `<tool_call>{"name": "fs.readFile", "arguments": {"path": "${path}"}}</tool_call>`
    const kept = { success: false, code: 'ENOENT', error: "ENOENT: no such file or directory, fs.readFile 'b'", hint: 'my own words' }
    writeTree(cwd, { 'f/a': 'x', 'md/1.md': `${call('b')}\n${call('a')}\n`, 'md/1.md.results.json': JSON.stringify({ results: [kept, { success: true, data: { content: 'y' } }] }) })
    expect((await cli.run(['replay', 'md', '--fixture', 'f', '--update'], { cwd })).stderr).toBe('Rewrote 1 result in 1 file\n')
    expect(JSON.parse(readFileSync(join(cwd, 'md', '1.md.results.json'), 'utf8'))).toMatchObject({ results: [kept, { data: { content: 'x' } }] })
  })

  it('starts from a commit, and holds the final tree against a directory and a hash', async () => {
    const cwd = tempDir()
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(cwd, 'repo'), encoding: 'utf8' })
    const write = conversation({ name: 'fs.writeFile', arguments: { path: 'b', content: 'B' } }, { success: true, data: {} })
    writeTree(cwd, { 'repo/a': 'one\n', 't.jsonl': `${write}\n`, 'right/a': 'one\n', 'right/b': 'B', 'wrong/a': 'two\n', 'wrong/c/d': 'x' })
    git('init', '-q')
    // For the commits of hermes too, where git knows nobody.
    git('config', 'user.name', 'a')
    git('config', 'user.email', 'a@b')
    git('add', '.')
    git('commit', '-qm', 'one')
    git('tag', 'v1')
    writeFileSync(join(cwd, 'repo', 'a'), 'later\n')
    const args = ['replay', 't.jsonl', '--git', 'v1', '--repo', 'repo', '--json']
    const right = await cli.run([...args, '--expect', 'right'], { cwd })
    expect([right.exitCode, right.stderr]).toEqual([0, ''])
    const wrong = await cli.run([...args, '--expect', 'wrong'], { cwd })
    const { reports } = JSON.parse(wrong.stdout) as { reports: { treeHash: string; tree: unknown }[] }
    expect(reports[0]?.tree).toEqual([
      { path: 'a', kind: 'changed', expected: 'two\n', actual: 'one\n' }, { path: 'b', kind: 'unexpected' }, { path: 'c/d', kind: 'missing' },
    ])
    expect(wrong.exitCode).toBe(1)
    expect((await cli.run([...args, '--expect', reports[0]?.treeHash ?? ''], { cwd })).exitCode).toBe(0)
    expect((await cli.run([...args, '--expect', `sha256:${'0'.repeat(64)}`], { cwd })).exitCode).toBe(1)
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('takes nothing on standard input for no transcript', async () => {
    expect(await cli.run(['replay', '-'], { cwd: tempDir() })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('hermes: No transcripts in -\n') })
  })

  it('without its fixture a transcript is an error, the others are not', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/one/a': 'x', 'one.jsonl': reads('a', content('x')), 'two.jsonl': reads('a', content('x')) })
    const { stdout, exitCode } = await cli.run(['replay', 'one.jsonl', 'two.jsonl', '--fixture', 'f/{name}'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`✗  two.jsonl  two.jsonl:1\n    There is no fixture ${join(cwd, 'f', 'two')}  ENOENT\n`)
    expect(stdout).toContain('2 transcripts · 1 drifted · 1 same')
  })

  it('runs tools of other harnesses as a mapping says, and lists the others', async () => {
    const cwd = tempDir()
    const odd = conversation({ name: 'frobnicate', arguments: {} }, 'x')
    writeTree(cwd, { 'f/a': 'x\n', 't.jsonl': `${conversation({ name: 'show', arguments: { file: 'a' } }, 'x\n')}\n${odd}\n`, 'm.yaml': 'tools:\n  show: { verb: fs.readFile, arguments: { path: file }, result: { text: [content] } }\n' })
    const args = ['replay', 't.jsonl', '--fixture', 'f', '--mapping', 'm.yaml']
    const mapped = await cli.run(args, { cwd })
    expect(mapped.stdout).toMatch(/^–  unmapped frobnicate {2}no mapping knows frobnicate {2}in t\.jsonl#2\n\n2 transcripts · 1 same · 1 unmapped · /)
    expect(mapped.exitCode).toBe(0)
    expect((await cli.run([...args, '--strict'], { cwd })).exitCode).toBe(1)
  })

  it.each([
    [[], 'hermes: No transcripts given\n'],
    [['t.jsonl', '--format', 'sharegtp'], 'hermes: Unknown format of transcripts: sharegtp\n  Did you mean sharegpt?'],
    [['t.jsonl', '--fixture', 'a', '--git', 'b'], 'hermes: --fixture and --git cannot be given together\n'],
    [['t.jsonl', '--expect', 'sha256:1'], 'hermes: Not a hash of a tree: sha256:1\n'],
    [['t.jsonl', '--report', 'r.txt'], 'hermes: Unknown kind of report: r.txt\n'],
    [['t.jsonl', '--workers', '0'], 'hermes: Invalid number for --workers: 0\n'],
    [['t.jsonl', '--resume'], 'hermes: --resume needs the name of the run\n'],
    [['bad'], 'replay.yaml:1:10: /etc: name something inside of the folder\n'],
  ])('wrong usage: %j', async (args, message) => {
    const cwd = tempDir()
    writeTree(cwd, { 'empty/': '', 't.jsonl': reads('a', content('x')), 'bad/replay.yaml': 'fixture: /etc\n', 'bad/t.jsonl': '' })
    const { exitCode, stderr, stdout } = await cli.run(['replay', ...args], { cwd, env: { TMPDIR: cwd } })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(readdirSync(cwd).filter((name) => name.startsWith('hermes-'))).toEqual([])
  })
})
