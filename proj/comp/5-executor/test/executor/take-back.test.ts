import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { nameSettingsBy } from '../../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'

useOwnGitIdentity()
// Other files of this process read what the command says.
afterEach(() => nameSettingsBy('flags'))

const write = (path: string, content: string): string => (
  `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path, content } })}</tool_call>\n`
)

function place(options: ExecutorOptions = {}): { root: string; hermes: Hermes; text: (name: string) => string } {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'before\n')
  return {
    root, hermes: new Hermes({ root, policy: false, ...options }),
    text: (name) => readFileSync(join(root, name), 'utf8'),
  }
}

it('a result names its run, and the session takes it back, repeats it, and writes on', async () => {
  const { root, hermes, text } = place()
  await using _ = hermes
  const { runId, success } = await hermes.execute(write('a.txt', 'after\n') + write('b.txt', 'new\n'))
  expect(success && runId).toMatch(/^\d{8}T\d{9}Z-/)
  expect(await hermes.undo(runId)).toMatchObject({ success: true, target: runId, restored: expect.arrayContaining(['a.txt', 'b.txt']) })
  expect(text('a.txt')).toBe('before\n')
  expect(existsSync(join(root, 'b.txt'))).toBe(false)
  expect(await hermes.redo()).toMatchObject({ success: true, target: runId })
  expect([text('a.txt'), text('b.txt')]).toEqual(['after\n', 'new\n'])
  expect(await hermes.undo()).toMatchObject({ success: true, target: runId })
  // That the file is not as the session left it is its own doing.
  expect((await hermes.execute(write('a.txt', 'again\n'))).success).toBe(true)
})

it('a stream and calls name their runs too; a dry run has none', async () => {
  const { hermes, text } = place()
  await using _ = hermes
  let streamed: string | undefined
  for await (const event of hermes.stream([write('a.txt', 'one\n')], { runId: '20260101T000000000Z-aaaaaa' })) {
    if (event.type === 'end') streamed = event.result.runId
  }
  expect(streamed).toBe('20260101T000000000Z-aaaaaa')
  const called = await hermes.call([{ id: 'c', name: 'write_file', arguments: { path: 'a.txt', content: 'two\n' } }])
  await hermes.undo(called.runId)
  expect(text('a.txt')).toBe('one\n')
  const dry = new Hermes({ root: place().root, policy: false, dryRun: true })
  expect(await dry.execute(write('a.txt', 'three\n'))).not.toHaveProperty('runId')
  await expect(dry.undo()).rejects.toMatchObject({ code: 'INVALID_OPTION', hint: expect.stringContaining('dryRun') })
})

it('stops where a file was changed since, and names the option that merges', async () => {
  nameSettingsBy('options')
  const { root, hermes, text } = place()
  await using _ = hermes
  const { runId } = await hermes.execute(write('a.txt', 'after\n'))
  writeFileSync(join(root, 'a.txt'), 'mine\n')
  await expect(hermes.undo(runId)).rejects.toMatchObject({
    code: 'CHANGED_ON_DISK', hint: 'Nothing was changed. option force: true keeps these changes and merges them with what is taken back.',
  })
  expect(text('a.txt')).toBe('mine\n')
  expect(await hermes.undo(runId, { force: true })).toMatchObject({ merged: [{ path: 'a.txt', marked: true }] })
  await expect(hermes.undo('19990101')).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
})

it('commits the undo in a git work tree, and nothing where the session commits nothing', async () => {
  const { root, hermes } = place()
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
  const { runId, gitCommit } = await hermes.execute(write('a.txt', 'after\n'))
  expect(git('rev-parse', 'HEAD')).toBe(gitCommit)
  const { gitCommit: undone } = await hermes.undo(runId)
  expect(git('rev-parse', 'HEAD')).toBe(undone)
  expect(git('log', '--format=%s', '-1')).toMatch(/^AI: undo /)
  const quiet = new Hermes({ root, policy: false, gitCommit: false })
  const second = await quiet.execute(write('a.txt', 'once more\n'))
  expect(await quiet.undo(second.runId)).not.toHaveProperty('gitCommit')
  expect(git('rev-parse', 'HEAD')).toBe(undone)
})
