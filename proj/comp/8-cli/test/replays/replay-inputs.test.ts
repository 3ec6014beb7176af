import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { content, reads } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const GOOD = `${reads('a', content('x'))}\n`

function plant(): string {
  const cwd = tempDir()
  writeTree(cwd, { 'data/t.jsonl': GOOD, 'data/n/u.jsonl': `${reads('b', content('x'))}\n`, 'f/a': 'x', 'e/a': 'x', 'm.yaml': 'tools: {}\n', 'other/': '' })
  symlinkSync('../data/t.jsonl', join(cwd, 'other', 'link.jsonl'))
  symlinkSync('data', join(cwd, 'alias'))
  linkSync(join(cwd, 'data', 't.jsonl'), join(cwd, 'other', 'hard.jsonl'))
  return cwd
}

describe('hermes replay and its own inputs', () => {
  it.each([
    [['data/t.jsonl', '--export', 'data/t.jsonl'], '--export data/t.jsonl is read by this replay'],
    [['data/t.jsonl', '--export', 'other/link.jsonl'], '--export other/link.jsonl is read by this replay'],
    [['data/t.jsonl', '--export', 'other/hard.jsonl'], '--export other/hard.jsonl is read by this replay'],
    [['data', '--export', 'other/hard.jsonl'], '--export other/hard.jsonl is read by this replay'],
    [['data', '--export', 'alias/out.jsonl'], '--export alias/out.jsonl lies in data, which is read'],
    [['data', '--report', 'data/n/r.json'], '--report data/n/r.json lies in data, which is read'],
    [['.', '--run', 'r'], '--run data/r lies in ., which is read'],
    [['data/t.jsonl', '--fixture', 'f', '--export', 'f/out.jsonl'], '--export f/out.jsonl lies in f, which is read'],
    [['data/t.jsonl', '--expect', 'e', '--report', 'e/r.md'], '--report e/r.md lies in e, which is read'],
    [['data/t.jsonl', '--mapping', 'm.yaml', '--export', 'm.yaml'], '--export m.yaml is read by this replay'],
    [['data/t.jsonl', '--export', 'o.json', '--report', './o.json'], '--report ./o.json is written by --export too'],
    [['data/t.jsonl', '--export', 'fifo'], '--export fifo is no regular file'],
  ])('refuses %j', async (args, message) => {
    const cwd = plant()
    execFileSync('mkfifo', ['fifo'], { cwd })
    const before = readFileSync(join(cwd, 'data', 't.jsonl'), 'utf8')
    const { exitCode, stdout, stderr } = await cli.run(['replay', ...args], { cwd })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`hermes: ${message}\n`)
    expect(readFileSync(join(cwd, 'data', 't.jsonl'), 'utf8')).toBe(before)
    expect(readdirSync(cwd).sort()).toEqual(['alias', 'data', 'e', 'f', 'fifo', 'm.yaml', 'other'])
  })

  it.each([
    [['s/t.jsonl', '--export', 's/replay.yaml'], '--export s/replay.yaml is read by this replay'],
    [['s/t.jsonl', '--report', 's/fix/r.md'], '--report s/fix/r.md lies in s/fix, which is read'],
    [['s/t.jsonl', '--export', 's/exp/x'], '--export s/exp/x lies in s/exp, which is read'],
    [['s/t.jsonl', '--export', 's/m.yaml'], '--export s/m.yaml is read by this replay'],
    [['s/1.md', '--export', 's/1.md.results.json'], '--export s/1.md.results.json is read by this replay'],
    [['other', '--export', 'data/t.jsonl'], '--export data/t.jsonl is read by this replay'],
  ])('refuses %j, which it reads by a replay.yaml, a link, or beside an answer', async (args, message) => {
    const cwd = plant()
    const files = { 's/t.jsonl': GOOD, 's/1.md': 'x', 's/1.md.results.json': '{"results":[]}', 's/replay.yaml': 'fixture: fix\nexpect: exp\nmappings: [m.yaml]\n', 's/fix/a': 'x', 's/exp/x': 'x', 's/m.yaml': 'tools: {}\n' }
    writeTree(cwd, files)
    rmSync(join(cwd, 'other', 'hard.jsonl'))
    const { exitCode, stderr } = await cli.run(['replay', ...args], { cwd })
    expect([exitCode, stderr.split('\n')[0]]).toEqual([2, `hermes: ${message}`])
    for (const [name, before] of Object.entries(files)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(before)
  })

  it('keeps an exported file until there is another one', async () => {
    const cwd = plant()
    writeTree(cwd, { 'out.jsonl': 'mine\n', 'broken.jsonl': '{cut\n' })
    chmodSync(join(cwd, 'out.jsonl'), 0o600)
    // Links in the working directory are refused: a command may have put them there.
    const out = join(tempDir(), 'out')
    symlinkSync(join(cwd, 'out.jsonl'), out)
    const before = readdirSync(cwd)
    for (const path of ['nothing.jsonl', 'e', 'broken.jsonl']) await cli.run(['replay', path, '--export', out], { cwd })
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe('mine\n')
    const child = spawn(process.execPath, [cli.path, 'replay', '-', '--fixture', 'f', '--export', out], { cwd, env: plainEnvironment(), stdio: ['pipe', 'ignore', 'pipe'] })
    child.stdin.write(GOOD)
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const written = async (): Promise<void> => {
      while (child.exitCode === null && !readdirSync(cwd).some((name) => name.startsWith('.hermes-tmp-') && statSync(join(cwd, name)).size > 0)) await sleep(20)
    }
    await written()
    child.kill('SIGINT')
    expect([await text(child.stderr), await ended]).toEqual([`Interrupted after 1 transcript, 1 call\nInterrupted: ${out} is as it was\n`, 130])
    expect([readFileSync(join(cwd, 'out.jsonl'), 'utf8'), readdirSync(cwd)]).toEqual(['mine\n', before])
    expect((await cli.run(['replay', 'data/t.jsonl', '--fixture', 'f', '--export', out], { cwd })).exitCode).toBe(0)
    expect([JSON.parse(readFileSync(join(cwd, 'out.jsonl'), 'utf8')), statSync(join(cwd, 'out.jsonl')).mode & 0o777, readdirSync(cwd)])
      .toEqual([expect.objectContaining({ conversations: expect.anything() }), 0o600, before])
  })

  it.runIf(process.platform === 'linux')('says which name of a fixture is no UTF-8, and compares trees that have one', async () => {
    const cwd = plant()
    const odd = (directory: string) => Buffer.concat([Buffer.from(join(cwd, directory)), Buffer.from('/\xe9', 'latin1')])
    writeFileSync(odd('e'), 'x')
    const expected = await cli.run(['replay', 'data/t.jsonl', '--fixture', 'f', '--expect', 'e', '--json'], { cwd })
    expect(JSON.parse(expected.stdout)).toMatchObject({ reports: [{ tree: [{ path: String.raw`\xe9`, kind: 'missing' }] }] })
    writeFileSync(odd('f'), 'x')
    expect((await cli.run(['replay', 'data/t.jsonl', '--fixture', 'f'], { cwd })).stdout).toContain(String.raw`The fixture has a name that is not valid UTF-8: \xe9  NOT_TEXT`)
  })

  it('writes beside them, and to devices', async () => {
    const cwd = plant()
    const args = ['replay', 'data', '--fixture', 'f', '--export', '/dev/null', '--report', 'r.json', '--run', 'r', '--output', 'runs']
    expect((await cli.run(args, { cwd })).exitCode).toBe(1)
    expect(readdirSync(cwd)).toEqual(expect.arrayContaining(['r.json', 'runs']))
  })

  it('reads a file once, however often it is given', async () => {
    const cwd = plant()
    const paths = ['data/t.jsonl', './data/t.jsonl', 'other/link.jsonl', 'other/hard.jsonl', 'data', 'alias']
    const { stdout } = await cli.run(['replay', ...paths, '--fixture', 'f', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ transcripts: 2, bad: 0 })
  })

  it.runIf(process.platform === 'linux')('opens regular files only', async () => {
    const cwd = plant()
    execFileSync('mkfifo', ['data/a.jsonl', 'data/b.md', 'data/t.jsonl.fifo.json', 'pipe'], { cwd })
    symlinkSync('/dev/zero', join(cwd, 'data', 'zero.json'))
    const server = createServer().listen(join(cwd, 'data', 'socket.jsonl'))
    const { stdout, exitCode } = await cli.run(['replay', 'data', 'pipe', '--fixture', 'f'], { cwd }).finally(() => server.close())
    expect(exitCode).toBe(1)
    for (const [path, kind] of [['data/a.jsonl', 'a FIFO'], ['data/b.md', 'a FIFO'], ['data/zero.json', 'a device'], ['data/socket.jsonl', 'a socket'], ['pipe', 'a FIFO']]) {
      expect(stdout).toContain(`✗  ${path}  Is ${kind}, and no regular file  INVALID_TRANSCRIPT\n`)
    }
    expect(stdout).toContain('2 transcripts · 1 drifted · 6 unreadable')
  })

  it.runIf(process.platform === 'linux')('opens no other settings either', async () => {
    const cwd = plant()
    execFileSync('mkfifo', ['data/replay.yaml', 'm.fifo'], { cwd })
    expect(await cli.run(['replay', 'data'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('data/replay.yaml is no regular file') })
    expect(await cli.run(['replay', 'other/hard.jsonl', '--mapping', 'm.fifo'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('m.fifo: is no regular file') })
  })

  it('reads standard input, and an interrupt ends it while nothing comes', async () => {
    const cwd = plant()
    for (const name of process.platform === 'linux' ? ['-', '/dev/stdin'] : ['-']) {
      const { stdout } = await cli.run(['replay', name, '--fixture', 'f'], { cwd, input: GOOD })
      expect(stdout).toContain('1 transcript · 1 same')
    }
    const child = spawn(process.execPath, [cli.path, 'replay', '-', '--fixture', 'f'], { cwd, env: { ...plainEnvironment(), TMPDIR: cwd }, stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.write(GOOD)
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const started = new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (!readdirSync(cwd).some((name) => name.startsWith('hermes-replays-'))) return
        clearInterval(look)
        resolve()
      }, 20)
    })
    await started
    child.kill('SIGINT')
    const stdout = await text(child.stdout)
    expect(await ended).toBe(130)
    expect(stdout).toMatch(/^interrupted · \d transcript/)
    expect(readdirSync(cwd).filter((name) => name.startsWith('hermes-'))).toEqual([])
  })
})

describe('hermes replay says what is wrong before anything runs', () => {
  it.each([
    [['--expect', 'nope'], 'There is no directory nope to expect'],
    [['--expect', 'f/a'], 'There is no directory f/a to expect'],
    [['--expect', 'nope/{name}'], 'There is no directory nope to expect'],
    [['--fixture', 'nope'], 'There is no fixture nope'],
    [['--fixture', 'nope/{name}'], 'There is no fixture nope'],
    [['--git', 'HEAD', '--repo', 'nope'], 'There is no repository nope'],
    [['--git', 'HEAD', '--repo', 'f'], 'f is not in a git repository'],
    [['--git', 'nowhere', '--repo', 'repo'], 'There is no commit nowhere in repo'],
    [['--repo', 'repo'], '--repo needs --git'],
    [['-', '--update'], '--update cannot rewrite standard input'],
  ])('%j', async (args, message) => {
    const cwd = plant()
    execFileSync('git', ['init', '-q', 'repo'], { cwd })
    const { exitCode, stdout, stderr } = await cli.run(['replay', 'data/t.jsonl', ...args], { cwd })
    expect([exitCode, stdout, stderr.split('\n')[0]]).toEqual([2, '', `hermes: ${message}`])
  })

  it('an expected tree that one transcript lacks is an error of this one', async () => {
    const cwd = plant()
    mkdirSync(join(cwd, 'of', 't'), { recursive: true })
    writeFileSync(join(cwd, 'of', 't', 'a'), 'x')
    const { stdout } = await cli.run(['replay', 'data', '--fixture', 'f', '--expect', 'of/{name}'], { cwd })
    expect(stdout).toContain(`There is no directory ${join(cwd, 'of', 'u')} to expect  ENOENT\n`)
    expect(stdout).toContain('2 transcripts · 1 drifted')
  })

  it.runIf(process.platform === 'linux')('tells of a full disk, and what was written before stays', async () => {
    const cwd = plant()
    const full = join(tempDir(), 'full.json')
    symlinkSync('/dev/full', full)
    for (const [flag, file, message] of [
      ['--export', '/dev/full', 'Cannot write the trajectories /dev/full (ENOSPC)'],
      ['--report', full, `Cannot write the report ${full} (ENOSPC)`],
    ] as const) {
      for (const workers of flag === '--export' ? [[], ['--workers', '2']] : [[]]) {
        const { exitCode, stderr } = await cli.run(['replay', 'data', '--fixture', 'f', flag, file, ...workers], { cwd, env: { TMPDIR: cwd } })
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
      }
    }
    expect(readdirSync(cwd).filter((name) => name.startsWith('hermes-'))).toEqual([])
  })

  it('tells a few lines of a file that is no transcript, and prints no control character of a name', async () => {
    const cwd = plant()
    writeTree(cwd, { 'bad/\u001b[31mx.jsonl': 'no\n'.repeat(400), 'bad/cr.jsonl': GOOD.trimEnd() + '\r' + GOOD.trimEnd(), 'bad/y.jsonl': GOOD })
    const { stdout, exitCode } = await cli.run(['replay', 'bad', '--fixture', 'f', '--github', '--report', 'r.md'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout.match(/The line is no JSON/g)).toHaveLength(10)
    expect(stdout).toContain('and 395 more that cannot be read\n')
    expect(stdout).toContain('1 transcript · 401 unreadable · 1 same')
    expect(stdout).toContain('✗  bad/cr.jsonl:1  The line has carriage returns between its records  INVALID_TRANSCRIPT\n    hint: Save the file with LF or CRLF line ends.')
    expect(stdout).not.toContain('\u001b')
    expect(readFileSync(join(cwd, 'r.md'), 'utf8')).not.toContain('\u001b')
  })
})

describe('hermes apply and its own input', () => {
  const ANSWER = '<tool_call>{"name": "fs.exists", "arguments": {"path": "a"}}</tool_call>\n'
  it.each([
    [['ans.md', '--trajectory', 'ans.md'], '--trajectory ans.md is the answer itself'],
    [['ans.md', '--report', '../link.md'], '--report ../link.md is the answer itself'],
    [['ans.md', '--report', 'hard.md'], '--report hard.md is the answer itself'],
    [['run.jsonl', '--record', 'run.jsonl'], '--record run.jsonl is the answer itself'],
    [['ans.md', '--trajectory', 'notes.txt'], 'notes.txt is there, and holds no trajectories'],
    [['ans.md', '--trajectory', 't.jsonl', '--record', 't.jsonl'], '--record t.jsonl is written by --trajectory too'],
  ])('refuses %j', async (args, message) => {
    const cwd = join(tempDir(), 'root')
    const files = { 'ans.md': ANSWER, 'notes.txt': 'mine\n', 'run.jsonl': '{"type":"run","version":1,"root":"/","rootAliases":[]}\n' }
    writeTree(cwd, files)
    symlinkSync('root/ans.md', join(cwd, '..', 'link.md'))
    linkSync(join(cwd, 'ans.md'), join(cwd, 'hard.md'))
    const { exitCode, stdout, stderr } = await cli.run(['apply', ...args, '--no-git'], { cwd })
    expect([exitCode, stdout, stderr.split('\n')[0]]).toEqual([2, '', `hermes: ${message}`])
    for (const [name, before] of Object.entries(files)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(before)
  })

  it.each(['--report', '--trajectory', '--record'])('writes %s through no link in the root', async (flag) => {
    const cwd = join(tempDir(), 'root')
    writeTree(cwd, { 'ans.md': ANSWER, '../theirs': '' })
    symlinkSync('../theirs', join(cwd, 'link.md'))
    const { exitCode, stdout, stderr } = await cli.run(['apply', 'ans.md', flag, 'link.md', '--no-git'], { cwd })
    expect([exitCode, stdout, stderr.split('\n')[0]])
      .toEqual([2, '', `hermes: link.md is a link in ${realpathSync(cwd)}, where commands work: it is not written`])
    expect(readFileSync(join(cwd, '..', 'theirs'), 'utf8')).toBe('')
  })
})
