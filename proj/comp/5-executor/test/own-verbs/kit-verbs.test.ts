import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ActionResult } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../src/index.js'

const repository = fileURLToPath(new URL('../../../../..', import.meta.url))

/** An extension that stands in a page of the docs, or here, with hermes installed beside it; and a session that has its verbs. */
function session(source: string, verbs: string[], dryRun = false): { hermes: Hermes; root: string; call: (name: string, args?: object) => Promise<ActionResult | undefined> } {
  const directory = tempDir()
  const root = join(directory, 'root')
  mkdirSync(root)
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(repository, join(directory, 'node_modules', 'hermes'), 'junction')
  writeFileSync(join(directory, 'extension.mjs'), ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  }).outputText)
  const extensions = { own: { command: process.execPath, args: [join(directory, 'extension.mjs')], verbs } }
  const hermes = new Hermes({ root, gitCommit: false, relativePaths: true, dryRun, policy: { extensions } as never })
  return {
    hermes, root,
    call: async (name, args = {}) => (await hermes.call([{ id: '1', name, arguments: JSON.stringify(args) }])).results[0],
  }
}

describe('verbs of defineExtension', () => {
  it('do what the page on extensions says', async () => {
    const page = readFileSync(join(repository, 'docs', 'extensions.md'), 'utf8')
    const source = /```ts\n([^`]*?note_change[\s\S]*?)```/.exec(page)?.[1] ?? ''
    const { hermes, root, call } = session(source, ['note_change'])
    expect(await call('note_change', { line: 'Faster.' })).toMatchObject({ success: true, data: { lines: 3 } })
    expect(await call('note_change', { line: 'two\nlines' })).toMatchObject({
      success: false, code: 'INVALID_PARAMETER', error: 'note_change: One line, please', hint: 'Call it once for each line.',
    })
    expect(readFileSync(join(root, 'CHANGES.md'), 'utf8')).toBe('# Unreleased\n\n- Faster.\n')
    await hermes[Symbol.asyncDispose]()
    const dry = session(source, ['note_change'], true)
    expect(await dry.call('note_change', { line: 'Faster.' })).toMatchObject({ success: true })
    await dry.hermes[Symbol.asyncDispose]()
    expect(existsSync(join(dry.root, 'CHANGES.md'))).toBe(false)
  })

  it('reach every kind of change, and pass a refusal on', async () => {
    const { hermes, root, call } = session(`
      import { defineExtension } from 'hermes/extension'
      defineExtension({ name: 'own', verbs: {
        all: { description: 'All.', access: 'write', async execute(args, { files, root, dryRun }) {
          await files.createDirectory('empty')
          await files.writeFile('a.txt', 'one\\ntwo\\n')
          await files.writeRange('a.txt', 'TWO\\n', { startLine: 2, endLine: 2 })
          await files.copyFile('a.txt', 'b.txt')
          await files.moveFile('b.txt', 'dir/c.txt')
          const read = [await files.readFile('dir/c.txt'), await files.readRange('a.txt', 2, 2), await files.lineCount('a.txt'), await files.exists('b.txt')]
          const names = (await files.listDir('.')).map(({ name, isDirectory }) => name + (isDirectory ? '/' : ''))
          await files.deleteFile('a.txt')
          await files.deleteDirectory('empty')
          return { read, names, dryRun, isRoot: root.endsWith('root') }
        } },
        outside: { description: 'Outside.', access: 'write', execute: async (args, { files }) => files.writeFile('/etc/passwd', '') },
        nothing: { description: 'Nothing.', access: 'read', execute: () => undefined },
      } })`, ['all', 'outside', 'nothing'])
    expect((await call('all'))?.data).toEqual({
      read: ['one\nTWO\n', 'TWO\n', 2, false], names: ['a.txt', 'dir/', 'empty/'], dryRun: false, isRoot: true,
    })
    expect([existsSync(join(root, 'a.txt')), existsSync(join(root, 'empty')), existsSync(join(root, 'dir', 'c.txt'))]).toEqual([false, false, true])
    expect(await call('outside')).toMatchObject({ success: false, code: 'POLICY_DENIED' })
    expect(await call('nothing')).toMatchObject({ success: true, data: {} })
    await hermes[Symbol.asyncDispose]()
  })
})
