import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import type { RunTransaction, TransactionOptions } from '../../src/transaction/index.js'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }

async function command(transaction: RunTransaction, act: () => void): Promise<void> {
  await transaction.beforeBlock('exec')
  act()
  transaction.afterBlock('exec')
}

async function runCommand(root: Root, act: () => void, options: Partial<TransactionOptions> = {}) {
  const transaction = root.transaction(options)
  await command(transaction, act)
  return transaction.finish(SUMMARY)
}

function path(root: Root, name: string): string {
  return join(root.directory, name)
}

describe('a root in a subdirectory of the repository', () => {
  const make = () => {
    const repository = Root.repository({ 'a.txt': 'a\n', 'd/x': 'x\n', 'd/y': 'y\n' })
    repository.put({ 'd/un': 'un\n' })
    mkdirSync(path(repository, 'd/empty'))
    const root = path(repository, 'd')
    return { repository, root, gate: createPathGate({ root }), before: repository.tree() }
  }
  const act = (repository: Root) => () => {
    repository.put({ 'd/x': 'by a command\n', 'd/made/z': 'z\n' })
    unlinkSync(path(repository, 'd/un'))
    rmSync(path(repository, 'd/empty'), { recursive: true })
  }
  const ofFiles = (repository: Root) => Object.fromEntries(
    Object.entries(repository.tree()).filter(([name]) => !name.startsWith('d/.hermes')),
  )

  it('has what commands changed in it put back by undo', async () => {
    const { repository, root, gate, before } = make()
    await runCommand(repository, act(repository), { root })
    expect(await repository.undo({ root, gate })).toMatchObject({ success: true, left: [], kept: [] })
    expect(ofFiles(repository)).toEqual(before)
  })

  it('has it put back when the run is rolled back', async () => {
    const { repository, root, gate, before } = make()
    const transaction = repository.transaction({ root, atomic: true })
    await command(transaction, act(repository))
    expect(await transaction.rollBack(SUMMARY, gate)).toMatchObject({ extent: 'files', left: [] })
    expect(ofFiles(repository)).toEqual(before)
  })
})

describe('what was not committed before a command took it away', () => {
  it('is put back by undo, and is in none of its commits', async () => {
    const root = Root.repository()
    root.put({ 'notes.private': 'PASSWORD=1\n' })
    await runCommand(root, () => {
      unlinkSync(path(root, 'notes.private'))
      root.put({ built: 'ok\n' })
    })
    const { success, warnings } = await root.undo()
    expect(success).toBe(true)
    expect(root.text('notes.private')).toBe('PASSWORD=1\n')
    expect(root.changedIn()).toEqual(['built'])
    expect(root.status()).toEqual(['?? notes.private'])
    expect(warnings).toContainEqual(expect.stringMatching(/^Not committed, .*: notes\.private\./))
    await root.redo()
    expect(existsSync(path(root, 'notes.private'))).toBe(false)
    await root.undo()
    expect(root.status()).toEqual(['?? notes.private'])
    expect(root.git('log', '--format=', '--name-only')).not.toMatch(/notes/)
  })

  it('nor is what it reset', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'dirty\n', 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    const before = root.tree()
    await runCommand(root, () => void root.git('reset', '--quiet', '--hard'))
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.git('log', '--format=', '-p')).not.toMatch(/dirty|staged/)
    expect(root.status()).toEqual([' M a.txt', ' M b.txt'])
  })

  it('is committed again where the run itself had saved it in a commit', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'dirty\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'by a verb\n')
    await command(transaction, () => root.put({ 'a.txt': 'by a command\n' }))
    await transaction.finish(SUMMARY)
    await root.undo()
    expect(root.status()).toEqual([])
    expect(root.git('show', 'HEAD:a.txt')).toBe('dirty\n')
  })
})

describe('what git does not look at', () => {
  it('of repositories without a commit leaves the rest known', async () => {
    const root = Root.repository()
    root.git('init', '--quiet', "in'ner")
    root.git('init', '--quiet', 'deep/er')
    root.put({ "in'ner/x": 'x\n', 'un': 'un\n' })
    const before = root.tree()
    const { warnings } = await runCommand(root, () => {
      unlinkSync(path(root, 'a.txt'))
      unlinkSync(path(root, 'un'))
      root.put({ made: 'made\n' })
    })
    expect(warnings).toEqual([expect.stringMatching(/not committed since not clean before: un$/)])
    expect(root.changedIn()).toEqual(['a.txt', 'made'])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it.each(['--assume-unchanged', '--skip-worktree'])('since it was told so (%s) is put back all the same', async (flag) => {
    const root = Root.repository()
    root.git('update-index', flag, 'a.txt', 'b.txt', 'c.txt')
    root.put({ 'a.txt': 'local\n' })
    const before = root.tree()
    const { gitCommit, warnings } = await runCommand(root, () => {
      root.put({ 'a.txt': 'by a command\n', 'b.txt': 'by a command\n' })
      unlinkSync(path(root, 'c.txt'))
    })
    expect(gitCommit).toBeUndefined()
    expect(warnings.join('\n')).toMatch(/a\.txt[^]*b\.txt, c\.txt/)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.subjects()).toEqual(['start'])
  })
})

describe('without a commit', () => {
  it('in a work tree what commands changed is put back all the same', async () => {
    const root = Root.repository()
    root.put({ un: 'un\n' })
    const before = root.tree()
    const transaction = root.transaction({ git: false })
    await transaction.beforeBlock('write')
    root.change(transaction, 'b.txt', 'by a verb\n')
    await command(transaction, () => {
      root.put({ 'a.txt': 'by a command\n', 'b.txt': 'by a command\n' })
      unlinkSync(path(root, 'un'))
    })
    expect(await transaction.finish(SUMMARY)).toEqual({ warnings: [] })
    expect(root.subjects()).toEqual(['start'])
    expect(await root.undo({ git: false })).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('and outside of one undo does not succeed, since nobody knows what they changed', async () => {
    const root = new Root()
    root.put({ 'a.txt': 'a\n' })
    await runCommand(root, () => unlinkSync(path(root, 'a.txt')))
    const { success, left, warnings } = await root.undo()
    expect({ success, left }).toEqual({ success: false, left: [] })
    expect(warnings).toEqual([expect.stringMatching(/^Commands ran: what they changed is not known/)])
  })
})

describe('a file of a verb', () => {
  it('that is ignored, written after a command, is no change of someone else', async () => {
    const root = Root.repository({ '.gitignore': '*.log\n', 'a.txt': 'a\n' })
    const before = root.tree()
    const transaction = root.transaction()
    await command(transaction, () => root.put({ q: 'hi\n' }))
    await transaction.beforeBlock('write')
    root.change(transaction, 'other.log', 'log\n')
    await transaction.finish(SUMMARY)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('whose mode a command changed then gets content and mode back', async () => {
    const root = Root.repository()
    const before = root.tree()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'by a verb\n')
    root.change(transaction, 'made.txt', 'by a verb\n')
    await command(transaction, () => {
      chmodSync(path(root, 'a.txt'), 0o600)
      chmodSync(path(root, 'made.txt'), 0o600)
    })
    await transaction.finish(SUMMARY)
    const after = root.tree()
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(await root.redo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(after)
  })

  it('that was made before a command and moved after it goes', async () => {
    const root = Root.repository()
    const before = root.tree()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'd/made', 'made\n')
    await command(transaction, () => undefined)
    await transaction.beforeBlock('write')
    transaction.files.move(root.gate.approve('d/made', 'remove'), root.gate.approve('moved', 'write'))
    await transaction.finish(SUMMARY)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('in a directory that a verb and a command moved on comes back', async () => {
    const root = Root.repository({ 'd/x': 'x\n', 'd/y': 'y\n' })
    const before = root.tree()
    const transaction = root.transaction()
    const move = async (from: string, to: string) => {
      await transaction.beforeBlock('write')
      transaction.files.move(root.gate.approve(from, 'remove'), root.gate.approve(to, 'write'))
    }
    await move('d', 'e')
    await command(transaction, () => root.put({ 'e/x': 'by a command\n' }))
    await move('e', 'f')
    await command(transaction, () => renameSync(path(root, 'f'), path(root, 'g')))
    await transaction.finish(SUMMARY)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('in a directory that a command moved and a verb removed comes back, and nothing is left of the directory', async () => {
    const root = Root.repository({ 'a.txt': 'a\n', 'd/x': 'x\n', 'd/y': 'y\n' })
    const before = root.tree()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'd/x', 'by a verb\n')
    await command(transaction, () => renameSync(path(root, 'd'), path(root, 'dd')))
    await transaction.beforeBlock('write')
    root.change(transaction, 'dd/x', null)
    root.change(transaction, 'dd/y', null)
    transaction.files.removeDirectory(root.gate.approve('dd', 'remove'))
    await transaction.finish(SUMMARY)
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.tree()).toEqual(before)
  })
})
