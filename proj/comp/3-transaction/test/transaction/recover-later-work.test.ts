import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useProgram } from '../../../../test/support/program.js'
import { createRunId } from '../../src/transaction/index.js'
import { Root } from './root.js'
import { addHook } from './support/add-hook.js'

const script = useProgram(new URL('support/die-in-command.ts', import.meta.url))

/** A run that died in a command. */
function makeDead(options: object = {}): Root {
  const root = Root.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'un': 'un\n' })
  const { signal, stderr } = spawnSync(process.execPath, [
    script.path, root.directory, 'run-000000-later',
    'echo command >> b.txt; echo command >> c.txt; echo made > made; rm un', JSON.stringify(options),
  ], { encoding: 'utf8' })
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
  return root
}

/** A run that died in a command, and what a user did a while after that. */
async function makeDeadWithLaterWork(options: object = {}): Promise<Root> {
  const root = makeDead(options)
  await sleep(200)
  root.put({ 'a.txt': 'by a verb\nby the user\n', 'b.txt': 'b\ncommand\nuser\n', 'mynew': 'mine\n' })
  return root
}

const TREE_REF = 'refs/hermes/recover/run-000000-later'

describe('what was changed after a run died', () => {
  it('stays when the run is put back, is named, and goes only with force', async () => {
    const root = await makeDeadWithLaterWork()
    const first = await root.recover(true)
    expect(first.restored).toBe(true)
    expect(first.left.map(({ path }) => path).sort()).toEqual(['a.txt', 'b.txt', 'mynew'])
    expect(first.left[0]?.reason).toMatch(/after the run died/)
    expect([root.text('a.txt'), root.text('b.txt'), root.text('mynew')]).toEqual(['by a verb\nby the user\n', 'b\ncommand\nuser\n', 'mine\n'])
    expect([root.text('c.txt'), root.text('un'), existsSync(join(root.directory, 'made'))]).toEqual(['c\n', 'un\n', false])
    expect(first.warnings?.join('\n')).toMatch(/still open.*--restore --force.*hermes recover/)
    expect(root.git('show', `${TREE_REF}:found/mynew`)).toBe('mine\n')
    root.git('-c', 'gc.pruneExpire=now', 'gc', '--quiet')
    const second = await root.recover(true, true)
    expect(second.left).toEqual([])
    expect([root.text('a.txt'), root.text('b.txt'), existsSync(join(root.directory, 'mynew'))]).toEqual(['a\n', 'b\n', false])
    expect(root.git('show', `${TREE_REF}:found/b.txt`)).toBe('b\ncommand\nuser\n')
    expect(await root.recover(false)).toEqual({ restored: false, paths: [], left: [] })
  })

  it('stays for good when recover is called without restoring after that, or the run was atomic', async () => {
    for (const atomic of [false, true]) {
      const root = await makeDeadWithLaterWork({ atomic })
      if (!atomic) await root.recover(true)
      const { restored, left } = await root.recover(false)
      expect({ restored, left: left.map(({ path }) => path).sort() }).toEqual({ restored: true, left: ['a.txt', 'b.txt', 'mynew'] })
      expect([root.text('b.txt'), root.text('mynew'), root.text('c.txt')]).toEqual(['b\ncommand\nuser\n', 'mine\n', 'c\n'])
      expect(await root.recover(false)).toEqual({ restored: false, paths: [], left: [] })
    }
  })

  it('is not committed when the run is finished, nor taken back with it', async () => {
    const root = await makeDeadWithLaterWork()
    const { restored, warnings, gitCommit } = await root.recover(false)
    expect(restored).toBe(false)
    expect(root.changedIn(gitCommit)).toEqual(['a.txt', 'c.txt', 'made'])
    expect(root.git('show', 'HEAD:a.txt')).toBe('by a verb\n')
    expect(warnings?.join('\n')).toMatch(/after the run died.*a\.txt, b\.txt, mynew.*un/s)
    expect(root.status()).toEqual([' D un', ' M a.txt', ' M b.txt', '?? mynew'])
    await expect(root.undo()).rejects.toMatchObject({ data: { paths: ['a.txt'] } })
    await root.undo({ force: true })
    expect([root.text('a.txt'), root.text('b.txt'), root.text('mynew')]).toEqual([expect.stringContaining('by the user'), 'b\ncommand\nuser\n', 'mine\n'])
  })

  it('is not mixed with a merge that was begun since', async () => {
    const root = await makeDeadWithLaterWork()
    root.put({ '.git/MERGE_HEAD': root.git('rev-parse', 'HEAD') })
    const before = root.tree()
    await expect(root.recover(true)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    expect(root.tree()).toEqual(before)
  })
})

describe('what a command wrote right before its run was killed', () => {
  it('is the run\'s: it is committed with it, and taken back with it', async () => {
    const root = makeDead({ isSudden: true })
    const { warnings, gitCommit } = await root.recover(false)
    expect(warnings).toBeUndefined()
    expect(root.changedIn(gitCommit)).toEqual(['a.txt', 'b.txt', 'c.txt', 'made', 'un'])
    await root.undo()
    expect(root.tree()).toEqual({ 'a.txt': '644 a\n', 'b.txt': '644 b\n', 'c.txt': '644 c\n', 'un': '644 un\n' })
  })
})

/** So that it is soon enough for the run's own also where the machine is busy and beats come late. */
const RIGHT_AFTER_A_BEAT = 'beat() { stat -c %z .hermes/journal/run-000000-commit/alive; }; '
  + 'was=$(beat); for one in $(seq 500); do [ "$(beat)" = "$was" ] || break; sleep 0.01; done'

describe('what was changed after the last look of a run that died in its commit', () => {
  /** A hook kills it, after a program that its command left behind has changed a file. */
  async function makeDeadInCommit(hook: string): Promise<Root> {
    const root = Root.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n', 'un': 'un\n' })
    addHook(root, hook, `${RIGHT_AFTER_A_BEAT}; echo left behind >> d.txt; kill -9 "$DIE_PID" "$PPID"`)
    const { signal, stderr } = spawnSync(process.execPath, [
      script.path, root.directory, 'run-000000-commit', 'for one in b c d; do echo command >> $one.txt; done; rm un',
      JSON.stringify({ inCommit: true }),
    ], { encoding: 'utf8' })
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
    rmSync(join(root.directory, '.git/hooks', hook))
    await sleep(200)
    root.put({ 'b.txt': 'b\ncommand\nuser\n', 'mynew': 'mine\n' })
    return root
  }

  it('stays when the run is put back, and is named', async () => {
    const root = await makeDeadInCommit('pre-commit')
    const { restored, left } = await root.recover(true)
    expect({ restored, left: left.map(({ path }) => path) }).toEqual({ restored: true, left: ['b.txt', 'mynew'] })
    expect(root.tree()).toEqual({
      'a.txt': '644 a\n', 'b.txt': '644 b\ncommand\nuser\n', 'c.txt': '644 c\n', 'd.txt': '644 d\n', 'mynew': '644 mine\n',
      'un': '644 un\n',
    })
    expect((await root.recover(true, true)).left).toEqual([])
    expect(root.status()).toEqual([])
  })

  it('is not committed when the run is finished', async () => {
    const root = await makeDeadInCommit('pre-commit')
    const { warnings, gitCommit } = await root.recover(false)
    expect(root.changedIn(gitCommit)).toEqual(['a.txt', 'c.txt', 'd.txt', 'un'])
    expect(root.git('show', 'HEAD:d.txt')).toBe('d\ncommand\nleft behind\n')
    expect(warnings).toContainEqual(expect.stringMatching(/^Changed after the run died.*: b\.txt, mynew$/))
    expect(root.status()).toEqual([' M b.txt', '?? mynew'])
    await expect(root.undo()).rejects.toMatchObject({ data: { paths: ['b.txt'] } })
    expect(root.text('b.txt')).toContain('user')
  })

  it('is told where the commit was made', async () => {
    const root = await makeDeadInCommit('post-commit')
    const { warnings, gitCommit } = await root.recover(false)
    expect(root.changedIn(gitCommit)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'un'])
    expect(warnings).toContainEqual(expect.stringMatching(/^Changed after the commit of the run.*: b\.txt, d\.txt, mynew$/))
    await expect(root.undo()).rejects.toMatchObject({ data: { paths: ['b.txt'] } })
    await root.undo({ force: true })
    expect([root.text('d.txt'), root.text('b.txt'), root.text('mynew')]).toEqual(['d\n', expect.stringContaining('user'), 'mine\n'])
  })
})

it('what was found when runs were recovered long ago is let go', async () => {
  const root = makeDead()
  const [old, young] = ['20200101T000000000Z-000000', createRunId()].map((id) => `refs/hermes/recover/${id}`)
  for (const ref of [old, young, 'refs/hermes/recover/other']) root.git('update-ref', ref ?? '', 'HEAD^{tree}')
  await root.recover(false)
  const refs = root.git('for-each-ref', '--format=%(refname)', 'refs/hermes/').trim().split('\n')
  expect(refs).toEqual([young, 'refs/hermes/recover/other', TREE_REF])
})
