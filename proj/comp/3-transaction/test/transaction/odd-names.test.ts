import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RunTransaction } from '../../src/transaction/index.js'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }

/** Names are written in Latin-1 here, each character one byte: `\xff` is in no text of UTF-8. */
function bytes(name: string): Buffer {
  return Buffer.from(name, 'latin1')
}

function at(root: Root, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root.directory}/`), bytes(name)])
}

function treeOf(root: Root): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (below: string): void => {
    for (const entry of readdirSync(at(root, below), { encoding: 'buffer' })) {
      const path = `${below}${entry.toString('latin1')}`
      if (path === '.git' || path === '.hermes') continue
      const stats = lstatSync(at(root, path))
      if (stats.isDirectory()) {
        found[path] = 'directory'
        visit(`${path}/`)
      } else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(at(root, path), 'buffer').toString('latin1')}`
      else found[path] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(at(root, path), 'latin1')}`
    }
  }
  visit('')
  return found
}

function repository(): Root {
  const root = Root.repository()
  mkdirSync(at(root, 'dir-\xe9'))
  for (const name of ['odd-\xff', 'gone-\xff', 'old-\xff', 'run-\xff', 'dir-\xe9/\xfe.txt', '\xc3\xa9-\xed\xa0\x80', '\xe2\x80']) {
    writeFileSync(at(root, name), `${Buffer.from(name, 'latin1').toString('hex')}\n`)
  }
  symlinkSync(bytes('odd-\xff'), at(root, 'link-\xff'))
  root.git('add', '--all')
  root.git('commit', '--quiet', '-m', 'odd')
  return root
}

function change(root: Root): void {
  writeFileSync(at(root, 'odd-\xff'), 'changed')
  rmSync(at(root, 'gone-\xff'))
  renameSync(at(root, 'old-\xff'), at(root, 'new-\xff'))
  chmodSync(at(root, 'run-\xff'), 0o755)
  writeFileSync(at(root, 'dir-\xe9/\xfe.txt'), 'changed')
  writeFileSync(at(root, '\xc3\xa9-\xed\xa0\x80'), 'changed')
  rmSync(at(root, 'link-\xff'))
  symlinkSync(bytes('new-\xff'), at(root, 'link-\xff'))
  mkdirSync(at(root, 'made-\xe9/\xfd'), { recursive: true })
  writeFileSync(at(root, 'made-\xe9/\xfd/made-\xff'), 'made')
  root.put({ 'a.txt': 'changed' })
}

/** A run whose command did that. */
async function changed(root: Root): Promise<RunTransaction> {
  const transaction = root.transaction({})
  await transaction.beforeBlock('exec')
  change(root)
  transaction.afterBlock('exec')
  return transaction
}

describe.skipIf(process.platform !== 'linux')('names that are not UTF-8', () => {
  it('are committed where a command changed them, and brought back by undo and redo', async () => {
    const root = repository()
    const before = treeOf(root)
    const transaction = await changed(root)
    const { warnings } = await transaction.finish(SUMMARY)
    const after = treeOf(root)
    expect(warnings).toEqual([])
    expect(root.status()).toEqual([])
    expect(root.subjects()[0]).toBe('AI: exec')

    await root.undo()
    expect(treeOf(root)).toEqual(before)
    expect(root.status()).toEqual([])

    await root.redo()
    expect(treeOf(root)).toEqual(after)
    expect(root.status()).toEqual([])
  })

  it('are put back where all is to be as before', async () => {
    const root = repository()
    const before = treeOf(root)
    const transaction = await changed(root)
    expect((await transaction.rollBack(SUMMARY, root.gate)).left).toEqual([])
    expect(treeOf(root)).toEqual(before)
  })

  it('are shown escaped', async () => {
    const root = repository()
    writeFileSync(at(root, 'odd-\xff'), 'mine')
    const transaction = root.transaction({})
    await transaction.beforeBlock('exec')
    writeFileSync(at(root, 'odd-\xff'), 'changed')
    transaction.afterBlock('exec')
    const { warnings } = await transaction.finish(SUMMARY)
    expect(warnings).toEqual([String.raw`Changed by a command, not committed since not clean before: odd-\xff`])
    writeFileSync(at(root, 'odd-\xff'), 'mine again')
    await expect(root.undo()).rejects.toThrow(String.raw`odd-\xff`)
  })
})

/** Where nothing says that a name is a commit, git asks which of the two is meant. */
it('files named like commits are in the way of no run, undo or redo', async () => {
  const root = Root.repository()
  const first = root.git('rev-parse', 'HEAD').trim()
  const tree = root.git('rev-parse', 'HEAD^{tree}').trim()
  root.put({ HEAD: 'mine\n', [first]: 'mine\n', [tree]: 'mine\n' })
  root.put({ 'b.txt': 'staged\n' })
  root.git('add', 'b.txt')
  const transaction = root.transaction({})
  await transaction.beforeBlock('exec')
  root.put({ 'a.txt': 'changed\n' })
  transaction.afterBlock('exec')
  const { warnings, fatalError } = await transaction.finish(SUMMARY)
  expect([warnings, fatalError]).toEqual([[], undefined])
  const second = root.git('rev-parse', 'HEAD').trim()
  root.put({ [second]: 'mine\n', [root.git('rev-parse', 'HEAD^{tree}').trim()]: 'mine\n' })
  expect(root.git('log', '--format=%s', '--').trim().split('\n')).toEqual(['AI: exec', 'start'])
  await root.undo()
  expect(root.text('a.txt')).toBe('a\n')
  await root.redo()
  expect(root.text('a.txt')).toBe('changed\n')
  expect(root.git('diff', '--cached', '--name-only', '--').trim()).toBe('b.txt')
})
