import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { execute, Hermes } from '../../src/executor/index.js'

function call(name: string, args: Record<string, unknown>): string {
  return `<${'tool_call'}>${JSON.stringify({ name, arguments: args })}</${'tool_call'}>\n`
}

const read = call('read_file', { path: 'a.txt' })
const UNCHANGED = 'unchanged since you read it'

function session(): { root: string; hermes: Hermes } {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n')
  return { root, hermes: new Hermes({ root, policy: false, gitCommit: false }) }
}

it('holds what was read, and is no field of the result', async () => {
  const { root } = session()
  const result = await execute(read, { root, policy: false, gitCommit: false })
  expect(result.reply()).toContain('\n    | one\n    | two\n')
  expect(JSON.stringify(result)).not.toContain('reply')
  expect({ ...result }).toEqual(result)
})

it('shows how the lines that were written differ from those of the block, where these were found by a tolerance', async () => {
  const { root, hermes } = session()
  await using _ = hermes
  writeFileSync(join(root, 'a.txt'), 'if a:\r\n\tgo()\r\n')
  const edit = (to: string) => call('edit_replace', { path: 'a.txt', old_text: 'go()', new_text: to })
  const { results, reply } = await hermes.execute(edit('stop()'))
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('if a:\r\n\tstop()\r\n')
  expect(results[0]?.written).toEqual({ diff: '@@ -1,1 +1,1 @@\n-stop()\n+\tstop()' })
  expect(reply()).toContain('    | -stop()\n    | +\tstop()\n')
  expect((await hermes.execute(edit('\tgo()'))).results[0]).not.toHaveProperty('written')
})

it('names a file that the session has shown, until it changes; the same run asked twice gives the same text', async () => {
  const { root, hermes } = session()
  await using _ = hermes
  const first = await hermes.execute(read)
  const shown = first.reply()
  expect(first.reply({ tokens: 2000 })).toBe(shown)
  const second = (await hermes.execute(read)).reply()
  expect(second).toContain(UNCHANGED)
  expect(second).not.toContain('| one')
  writeFileSync(join(root, 'a.txt'), 'three\n')
  expect((await hermes.execute(read)).reply()).toContain('    | three\n')
})

it('keeps apart what tasks have seen, and forgets a task that ended', async () => {
  const { hermes } = session()
  await using _ = hermes
  const replyTo = async (taskId?: string): Promise<string> => (await hermes.execute(read, { taskId })).reply()
  expect(await replyTo('x')).toContain('| one')
  expect(await replyTo('x')).toContain(UNCHANGED)
  expect(await replyTo('y')).toContain('| one')
  expect(await replyTo()).toContain('| one')
  await hermes.endTask('x')
  expect(await replyTo('x')).toContain('| one')
})

it('is there at the end of a stream and for calls', async () => {
  const { hermes } = session()
  await using _ = hermes
  const replies: string[] = []
  for await (const event of hermes.stream([read])) if (event.type === 'end') replies.push(event.result.reply())
  replies.push((await hermes.call([{ id: 'c', name: 'list_directory', arguments: { path: '.' } }])).reply())
  expect(replies).toEqual([expect.stringContaining('| one'), expect.stringContaining('| a.txt')])
})

it('keeps what is cut, where the text names it, and nothing in a dry run', async () => {
  const { root, hermes } = session()
  await using _ = hermes
  for (let number = 0; number < 300; number++) writeFileSync(join(root, `file-${number}.txt`), '')
  const list = call('ls', { path: root })
  const result = await hermes.execute(list)
  const [kept = ''] = /[^\s"]*\.hermes\/runs\/[^\s"]*/.exec(result.reply({ tokens: 1000 })) ?? []
  expect(readFileSync(kept, 'utf8')).toContain('- name: file-299.txt\n  type: file\n')
  const dry = await execute(list, { root, policy: false, dryRun: true })
  expect(dry.reply({ tokens: 1000 })).not.toContain('.hermes/runs')
  // Where nothing can be kept the text names nothing.
  rmSync(join(root, '.hermes', 'runs'), { recursive: true })
  symlinkSync(root, join(root, '.hermes', 'runs'))
  expect((await hermes.execute(list)).reply({ tokens: 1000 })).not.toContain('.hermes/runs')
})

it('says how many fences were only read as text', async () => {
  const { root } = session()
  const { reply } = await execute('```python\nprint(1)\n```\n', { root, policy: false })
  expect(reply()).toContain('1 code fence (python) was read as text.')
})

it('shows a block mended, but not one of an answer that holds a secret', async () => {
  vi.stubEnv('MY_GITHUB_TOKEN', 'ghp_1aB2cD3eF4gH5iJ6')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { root } = session()
  const block = (text: string): string => (
    `#!SHAM [@three-char-SHA-256: abc]\naction = "dir_create"\npath = "/${text}"\n#!END_SHAM_abd\n`
  )
  const shown = async (text: string): Promise<string> => (
    await execute(block(text), { root, policy: false, rootAliases: ['/x'] })).reply()
  expect(await shown('x/new')).toContain('| path = "/x/new"\n    | #!END_SHAM_abc\n')
  const masked = await shown('x/ghp_1aB2cD3eF4gH5iJ6')
  expect(masked).not.toContain('ghp_1aB2cD3eF4gH5iJ6')
  expect(masked).toContain('Hint: Write #!END_SHAM_abc')
})

it.each([0, 499, 500.5, Number.NaN, Infinity, '800'])('takes no bound of %s tokens', async (tokens) => {
  const { reply } = await execute('', { root: tempDir(), policy: false })
  expect(() => reply({ tokens: tokens as number })).toThrow(HermesError)
})
