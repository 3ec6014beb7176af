import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { Sandbox } from '../../3-transaction/test/history/sandbox.js'

const cli = useCli()
const env = {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@example.org',
}

function hermes(sandbox: Sandbox, ...args: string[]) {
  return cli.run(args, { cwd: sandbox.root, env })
}

describe('step-back and step-forward', () => {
  it('say where HEAD is and what became of the work', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'a': '2' })
    const [second = '', first = ''] = sandbox.git('rev-list', 'HEAD').split('\n')
    sandbox.put({ 'a': 'work', 'new\u001b[2J\n': 'n' })
    expect(await hermes(sandbox, 'step-back')).toEqual({
      exitCode: 0, stderr: '', stdout: `HEAD is at ${first.slice(0, 10)}\nStashed 2 files: a, new\\x1b[2J\\n\n  Back when HEAD is at ${second.slice(0, 10)} again\n`,
    })
    expect(await hermes(sandbox, 'step-back')).toEqual({
      exitCode: 1, stdout: '', stderr: `hermes: step-back: ${first.slice(0, 10)} has no commit before it\n`
        + '  This is the first commit, or the first of a shallow clone. hermes step-forward goes the other way.\n',
    })
    expect(await hermes(sandbox, 'step-forward')).toEqual({
      exitCode: 0, stderr: '',
      stdout: `HEAD is at ${second.slice(0, 10)}, on main again\nPut back 2 files: a, new\\x1b[2J\\n\n`,
    })
  })

  it('name what is in the way, with exit code 1, and print JSON', async () => {
    const sandbox = Sandbox.of({ 'a': '1', '.gitignore': 'x\n' }, { '.gitignore': '' })
    sandbox.put({ 'x': 'work' })
    const back = await cli.run(['step-back', '--root', sandbox.root, '--json'], { cwd: tempDir(), env })
    expect(back.exitCode).toBe(0)
    expect(JSON.parse(back.stdout)).toMatchObject({ success: true, stashed_files: ['x'] })
    const [stash = ''] = sandbox.stashes()
    sandbox.put({ 'x': 'other' })
    const forward = await hermes(sandbox, 'step-forward')
    expect(forward).toMatchObject({ exitCode: 1, stderr: '' })
    expect(forward.stdout).toContain('Not put back: in the way is 1 file: x\n'
      + `  Move them away, then: git stash apply --index ${stash.slice(0, 10)}\n`)
    const outside = await cli.run(['step-back', '--json'], { cwd: tempDir(), env })
    expect(outside).toMatchObject({ exitCode: 1, stderr: '' })
    expect(JSON.parse(outside.stdout)).toMatchObject({ success: false, code: 'NOT_A_REPOSITORY' })
  })

  it('work from a directory below the top', async () => {
    const sandbox = Sandbox.of({ 'd/a': '1', 'b': '1' }, { 'd/a': '2' })
    sandbox.put({ 'd/a': 'work', 'b': 'work' })
    const before = sandbox.snapshot()
    mkdirSync(join(sandbox.root, 'd'), { recursive: true })
    expect(await hermes(sandbox, 'step-back', '--root', 'd')).toMatchObject({ exitCode: 0 })
    expect(await hermes(sandbox, 'step-forward', '--root', 'd')).toMatchObject({ exitCode: 0 })
    expect(sandbox.git('status', '--porcelain')).toBe(' M b\n M d/a')
    expect((sandbox.snapshot() as { index: string }).index).toBe((before as { index: string }).index)
  })
})

describe('squash', () => {
  it('says what it made and how to go back', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: write ${at}`, { 'a': `x${at}` })
    const { stdout, stderr, exitCode } = await hermes(sandbox, 'squash')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(
      /^Squashed 2 commits into \w{10}: AI: write 1 \(\+1 commit\)\nThe old head is kept as (refs\/\S+)\nTo go back: git reset --soft \1\n$/,
    )
    const again = await hermes(sandbox, 'squash', '--all-groups')
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
    expect(again.stderr).toContain('squash: nothing to squash: of 2 unpushed commits, 1 would be squashed')
  })

  it('takes a flag of one mode for that mode', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'a': '2' }, { 'a': '3' })
    expect(await hermes(sandbox, 'squash', '--hours', '1', '-m', 'Today')).toMatchObject({ exitCode: 0 })
    expect(sandbox.git('log', '--format=%s')).toBe('Today')
    for (const at of [1, 2]) sandbox.commit(`wip ${at}`)
    expect(await hermes(sandbox, 'squash', '--msg-contains', 'wip')).toMatchObject({ exitCode: 0 })
    expect(sandbox.git('log', '--format=%s')).toBe('wip 1 (+1 commit)\nToday')
  })

  it.each([
    [['--mode', 'hour'], 'Unknown mode: hour', 'Did you mean hours?'],
    [['--mode', 'hours'], 'Mode hours needs --hours', 'Write --hours N.'],
    [['--mode', 'msg_contains'], 'Mode msg_contains needs --msg-contains', 'Write --msg-contains TEXT.'],
    [['--mode', 'auto_ai', '--days', '2'], '--days belongs to mode days, not to auto_ai', 'Leave one of them out.'],
    [['--days', '0'], 'Invalid number: 0', '--days is a whole number from 1 up.'],
  ])('%j is wrong usage', async (args, message, hint) => {
    const { exitCode, stdout, stderr } = await hermes(Sandbox.of({ 'a': '1' }), 'squash', ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`hermes: ${message}\n  ${hint}`)
  })
})

describe('undo and redo', () => {
  it('take back nothing here while the files of sessions are on another host', async () => {
    const [root, home] = [tempDir(), tempDir()]
    const answer = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "a.txt"\ncontent = "new"\n#!END_SHAM_abc\n'
    const options = { cwd: root, env: { ...env, HERMES_HOME: home } }
    expect((await cli.run(['apply', '--relative-paths', '-'], { ...options, input: answer })).exitCode).toBe(0)
    writeFileSync(join(home, 'config.yaml'), 'terminal: {backend: ssh}\n')
    for (const command of ['undo', 'redo']) {
      expect(await cli.run([command], options)).toEqual({
        exitCode: 1, stdout: '',
        stderr: `hermes: hermes ${command}: what was changed on another host (terminal.backend: ssh) is not known here\n`
          + '  Nothing was touched. Change it back there, or by its git. For runs on this machine, set terminal.backend to local '
          + 'first: hermes config set terminal.backend local.\n',
      })
    }
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new')
    expect((await cli.run(['config', 'set', 'terminal.backend', 'local'], options)).exitCode).toBe(0)
    expect((await cli.run(['undo'], options)).exitCode).toBe(0)
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })
})
