import { appendFileSync, existsSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }
const MIB = 1024 ** 2

async function runCommand(root: Root, act: () => void) {
  const transaction = root.transaction({})
  await transaction.beforeBlock('exec')
  act()
  transaction.afterBlock('exec')
  return transaction.finish(SUMMARY)
}

function makeLarge(root: Root, name: string, bytes: number): void {
  root.put({ [name]: '\0' })
  truncateSync(join(root.directory, name), bytes)
}

describe('new files that a command made', () => {
  it('are committed, but what looks secret, fills folders of tools, or is large: that is named, and undone', async () => {
    const root = Root.repository({ 'Cargo.toml': '', 'web/package.json': '{}' })
    const { warnings, gitCommit } = await runCommand(root, () => {
      root.put({
        'src/new.rs': 'x', 'text.txt': 'long\n'.repeat(MIB), 'build/x.txt': 'not of a tool',
        '.env': 'A=1', 'server.key': 'x', 'aws-credentials.json': '{}', 'a.txt': '-----BEGIN RSA PRIVATE KEY-----\n', '.vscode/settings.json': '{}',
        'node_modules/a/index.js': 'x', 'target/debug/a.d': 'x', 'web/dist/a.js': 'x', 'env/pyvenv.cfg': '', 'env/lib/a.py': 'x',
      })
      makeLarge(root, 'model.bin', 2 * MIB)
      makeLarge(root, 'small.bin', MIB)
    })
    expect(gitCommit).toBeDefined()
    expect(root.changedIn()).toEqual(['build/x.txt', 'small.bin', 'src/new.rs', 'text.txt'])
    const [secret, bulk, large, ...rest] = warnings
    expect(rest).toEqual([])
    expect(secret).toMatch(/^Made by a command, not committed since they look like secrets.*: .*\.env/)
    for (const name of ['server.key', 'aws-credentials.json', 'a.txt', '.vscode/settings.json']) expect(secret).toContain(name)
    expect(bulk).toMatch(/folders of dependencies or build output: env\/lib\/a\.py, env\/pyvenv\.cfg, node_modules\/a\/index\.js, target/)
    expect(bulk).toContain('web/dist/a.js')
    expect(large).toContain('model.bin')
    await root.undo()
    expect(root.status()).toEqual([])
    expect(existsSync(join(root.directory, 'model.bin'))).toBe(false)
  })

  it('are committed in a folder of which the project commits files', async () => {
    const root = Root.repository({ 'package.json': '{}', 'dist/a.js': 'a' })
    const { warnings } = await runCommand(root, () => root.put({ 'dist/b.js': 'b' }))
    expect([root.changedIn(), warnings]).toEqual([['dist/b.js'], []])
  })

  it('are not what a command changed: that is committed', async () => {
    const root = Root.repository({ '.env': 'A=1\n', 'data.bin': '\0' })
    const { warnings } = await runCommand(root, () => {
      root.put({ '.env': 'A=2\n' })
      makeLarge(root, 'data.bin', 2 * MIB)
    })
    expect([root.changedIn(), warnings]).toEqual([['.env', 'data.bin'], []])
  })

  it('are not what it changed in the second in which the index was written: that is committed too', async () => {
    const root = Root.repository({ 'a.txt': 'a\n' })
    const [file, git] = [join(root.directory, 'a.txt'), join(root.directory, '.git')]
    const setTimes = (): void => {
      const indexes = readdirSync(git).filter(name => name === 'index' || name.startsWith('hermes-snapshot-'))
      for (const path of [file, ...indexes.map(name => join(git, name))]) utimesSync(path, 1e9, 1e9)
    }
    // All is done in one second, of which the commit is made later: size and time tell nothing.
    root.git('config', 'core.trustctime', 'false')
    setTimes()
    root.git('update-index', '--refresh')
    setTimes()
    await runCommand(root, () => {
      writeFileSync(file, 'b\n')
      setTimes()
    })
    expect([root.changedIn(), root.git('show', 'HEAD:a.txt'), root.status()]).toEqual([['a.txt'], 'b\n', []])
  })

  it('are not read by git where they are very large, and undone all the same unless they were changed since', async () => {
    const root = Root.repository()
    const { warnings } = await runCommand(root, () => makeLarge(root, 'disk.img', 33 * MIB))
    expect(warnings.join('\n')).toContain('disk.img')
    expect(root.git('cat-file', '--batch-all-objects', '--batch-check=%(objectsize)').split('\n').filter(size => Number(size) > MIB)).toEqual([])
    appendFileSync(join(root.directory, 'disk.img'), 'mine')
    await expect(root.undo()).rejects.toThrow(/disk\.img/)
  })

  it('are undone where they are very large', async () => {
    const root = Root.repository()
    await runCommand(root, () => makeLarge(root, 'disk.img', 33 * MIB))
    await root.undo()
    expect(root.status()).toEqual([])
  })
})
