import { chmodSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunTransaction } from '../../src/transaction/index.js'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }

async function command(transaction: RunTransaction, act: () => void): Promise<void> {
  await transaction.beforeBlock('exec')
  act()
  transaction.afterBlock('exec')
}

async function runCommand(root: Root, act: () => void) {
  const transaction = root.transaction()
  await command(transaction, act)
  return transaction.finish(SUMMARY)
}

/** Git gets notebooks without what they printed. */
function notebooks(): Root {
  const root = Root.repository({ '.gitattributes': '*.nb filter=strip\n', 'a.txt': 'a\n' })
  root.put({ '.git/strip': "#!/bin/sh\ngrep -v '^output' || true\n" })
  chmodSync(join(root.directory, '.git/strip'), 0o755)
  root.git('config', 'filter.strip.clean', `'${root.directory}/.git/strip'`)
  root.git('config', 'filter.strip.smudge', 'cat')
  root.put({ 'x.nb': 'code\noutput 1\n', 'y.nb': 'code\noutput 1\n' })
  root.git('add', '--all')
  root.git('commit', '--quiet', '-m', 'notebooks')
  return root
}

describe('files that git keeps otherwise than they are on disk', () => {
  it('through a filter that drops something are put back with it', async () => {
    const root = notebooks()
    const before = root.tree()
    await runCommand(root, () => {
      unlinkSync(join(root.directory, 'x.nb'))
      root.put({ 'y.nb': 'code\nmore code\noutput 2\n' })
    })
    const after = root.tree()
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.git('show', 'HEAD:y.nb')).toBe('code\n')
    expect(root.status()).toEqual([])
    expect(await root.redo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(after)
  })

  it('are put back also where only what git drops was changed', async () => {
    const root = notebooks()
    const before = root.tree()
    expect(await runCommand(root, () => root.put({ 'x.nb': 'code\noutput 2\n' }))).toEqual({ warnings: [] })
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('are not put back over what someone else has changed since, though git would not tell', async () => {
    const root = notebooks()
    await runCommand(root, () => root.put({ 'x.nb': 'code\noutput 2\n' }))
    root.put({ 'x.nb': 'code\noutput 3\n' })
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK', data: { paths: ['x.nb'] } })
  })

  it.each<[string, Record<string, string>, string | undefined]>([
    ['core.autocrlf=true', {}, 'true'],
    ['core.autocrlf=input', {}, 'input'],
    ['text=auto', { '.gitattributes': '* text=auto\n' }, undefined],
    ['eol=crlf', { '.gitattributes': '*.txt text eol=crlf\n' }, undefined],
  ])('by %s get back the line ends they had', async (_, files, autocrlf) => {
    const root = Root.repository({ ...files, 'z.md': 'z\n' })
    if (autocrlf !== undefined) root.git('config', 'core.autocrlf', autocrlf)
    root.put({ 'lf.txt': 'a\nb\n', 'crlf.txt': 'a\r\nb\r\n', 'mixed.txt': 'a\r\nb\n' })
    root.git('add', '--all')
    root.git('commit', '--quiet', '-m', 'texts')
    const before = root.tree()
    await runCommand(root, () => {
      for (const name of Object.keys(before)) if (name.endsWith('.txt')) root.put({ [name]: 'by a command\n' })
    })
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })
})
