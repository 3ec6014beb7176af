import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes } from '../../src/executor/index.js'

async function session(files: Record<string, string>) {
  const root = tempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const hermes = new Hermes({ root, policy: false, gitCommit: false, relativePaths: true })
  const call = (name: string, args: Record<string, unknown>, taskId?: string) => (
    hermes.call([{ id: 'c', name, arguments: args }], { taskId })
  )
  return { root, hermes, call }
}

it('shows the files of the context as they are now, and nothing where there are none', async () => {
  const { root, hermes, call } = await session({ 'a.md': 'a\n```js\nx\n```\n', 'b.txt': 'b' })
  expect(await hermes.contextPrompt()).toEqual({ text: '', tokens: 0, items: [] })
  await call('context_add', { path: join(root, 'a.md') })
  await call('context_add', { path: join(root, 'b.txt') })
  writeFileSync(join(root, 'b.txt'), 'changed')
  const { text, items } = await hermes.contextPrompt()
  expect(text).toContain(`### ${join(root, 'a.md')}\n\n\`\`\`\`text\na\n\`\`\`js\nx\n\`\`\`\n\`\`\`\`\n`)
  expect(text).toContain('```text\nchanged\n```')
  expect(items.map(({ tokens }) => tokens)).toEqual([4, 2])
  unlinkSync(join(root, 'b.txt'))
  expect((await hermes.contextPrompt()).items).toMatchObject([{}, { tokens: 0, left: 'missing' }])
})

it('leaves out what was not used for longest, and prunes it', async () => {
  const { root, hermes, call } = await session({ a: 'a'.repeat(40), b: 'b'.repeat(40), c: 'c'.repeat(40) })
  for (const name of ['a', 'b', 'c']) await call('context_add', { path: join(root, name) })
  await call('read_file', { path: 'a' })
  expect((await hermes.contextPrompt({ maxTokens: 20 })).items.map(({ left }) => left)).toEqual([undefined, 'no room', undefined])
  const { results } = await call('context_prune', { max_tokens: 10 })
  expect(results).toMatchObject([{ data: { removed: [join(root, 'b'), join(root, 'c')] } }])
})

it('keeps the context of tasks apart', async () => {
  const { root, hermes, call } = await session({ a: 'a' })
  await call('context_add', { path: join(root, 'a') }, 'one')
  expect((await hermes.contextPrompt({ taskId: 'one' })).items).toHaveLength(1)
  expect((await hermes.contextPrompt({ taskId: 'two' })).items).toHaveLength(0)
  await hermes.endTask('one')
  expect((await hermes.contextPrompt({ taskId: 'one' })).items).toHaveLength(0)
})

it('shows parts with their lines, finds them again by name, and says what is gone', async () => {
  const { root, hermes, call } = await session({ 'a.py': 'def f():\n    return 1\n\ndef load(): pass\n', 'b.md': '# A\n\n## B\nb\n' })
  for (const path of ['a.py#f', 'a.py#load', 'b.md#b', 'b.md:1']) {
    expect((await call('context_add', { path: join(root, path) })).success).toBe(true)
  }
  writeFileSync(join(root, 'a.py'), 'import x\n\ndef f():\n    return 2\n\ndef loads(): pass\n')
  const { text, items } = await hermes.contextPrompt()
  expect(text).toContain(`### ${join(root, 'a.py')}#f (lines 3-4 of it)\n\n\`\`\`text\n3: def f():\n4:     return 2\n\`\`\``)
  expect(text).toContain(`### ${join(root, 'a.py')}#load\n\n(no longer found: no definition of 'load'. Did you mean loads?)`)
  expect(text).toContain(`### ${join(root, 'b.md')}#b (lines 3-4 of it)\n\n\`\`\`text\n3: ## B\n4: b\n\`\`\``)
  expect(text).toContain('```text\n1: # A\n```')
  expect(items.map(({ left }) => left)).toEqual([undefined, 'missing', undefined, undefined])
})

it('counts reading a file as use of its parts', async () => {
  const { root, hermes, call } = await session({ a: 'a'.repeat(40), b: 'b'.repeat(40) })
  for (const name of ['a#L1', 'b#L1']) await call('context_add', { path: join(root, name) })
  await call('read_file', { path: 'a' })
  expect((await hermes.contextPrompt({ maxTokens: 15 })).items.map(({ left }) => left)).toEqual([undefined, 'no room'])
})
