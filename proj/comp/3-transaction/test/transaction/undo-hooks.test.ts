import { execSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { Root } from './root.js'
import { addHook } from './support/add-hook.js'

const FORMAT = 'for f in $(git diff --cached --name-only --diff-filter=d); do tr a-z A-Z < $f > .git/tmp && cat .git/tmp > $f && git add $f; done'

describe('a run whose files a hook formats', () => {
  it('is taken back and repeated without force', async () => {
    const root = Root.repository({ 'a.txt': 'A\n' })
    addHook(root, 'pre-commit', FORMAT)
    await root.run({ 'a.txt': 'written\n', 'new': 'new\n' })
    expect([root.text('a.txt'), root.text('new'), root.status()]).toEqual(['WRITTEN\n', 'NEW\n', []])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual({ 'a.txt': '644 A\n' })
    expect(await root.redo()).toMatchObject({ success: true })
    expect(root.text('a.txt')).toBe('WRITTEN\n')
  })

  it('is taken back where commands changed some of them', async () => {
    const root = Root.repository({ 'a.txt': 'A\n', 'b.txt': 'B\n', 'c.txt': 'C\n' })
    addHook(root, 'pre-commit', FORMAT)
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'written\n')
    await transaction.beforeBlock('exec')
    execSync('echo command >> b.txt; echo made > made', { cwd: root.directory })
    transaction.afterBlock('exec')
    await transaction.beforeBlock('write')
    root.change(transaction, 'c.txt', 'late\n')
    await transaction.finish({ blocks: 3, failures: 0, subject: 'many', lines: [] })
    expect([root.text('a.txt'), root.text('b.txt'), root.text('c.txt'), root.text('made')]).toEqual(['WRITTEN\n', 'B\nCOMMAND\n', 'LATE\n', 'MADE\n'])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual({ 'a.txt': '644 A\n', 'b.txt': '644 B\n', 'c.txt': '644 C\n' })
    expect(root.status()).toEqual([])
  })

  it('is not taken back over what someone changed after the hook', async () => {
    const root = Root.repository({ 'a.txt': 'A\n' })
    addHook(root, 'pre-commit', FORMAT)
    await root.run({ 'a.txt': 'written\n' })
    root.put({ 'a.txt': 'WRITTEN\nuser\n' })
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
  })
})
