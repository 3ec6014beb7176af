import { execFileSync } from 'node:child_process'
import {
  chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, symlinkSync, unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requireTrustedRoot } from '../../../2-sandbox/src/index.js'
import type { RunTransaction } from '../../src/transaction/index.js'
import { Root } from './root.js'

const SUMMARY = { blocks: 1, failures: 0, subject: 'exec', lines: [] }

async function command(transaction: RunTransaction, act: () => void): Promise<void> {
  await transaction.beforeBlock('exec')
  act()
  transaction.afterBlock('exec')
}

/** A run of one command. */
async function runCommand(root: Root, act: () => void, options: { git?: boolean } = {}) {
  const transaction = root.transaction(options)
  await command(transaction, act)
  return transaction.finish(SUMMARY)
}

/** The same, but atomic, and taken back since a later block failed. */
describe('what someone wrote while a command of an atomic run ran', () => {
  it('is put back with the rest, since nobody can tell whose it is, but git keeps it, and it is told how', async () => {
    const root = Root.repository()
    const { left, warnings } = await rollBackCommand(root, () => root.put({ 'a.txt': 'mine\n', 'new.txt': 'mine\n' }))
    expect(left).toEqual([])
    expect(root.text('a.txt')).toBe('a\n')
    const [, object = ''] = /git show (refs\S+:found)\/PATH/.exec(warnings.join('\n')) ?? []
    expect(['a.txt', 'new.txt'].map((name) => root.git('show', `${object}/${name}`))).toEqual(['mine\n', 'mine\n'])
    expect(root.status()).toEqual([])
  })

  it('needs no keeping where nothing was changed', async () => {
    const { warnings } = await rollBackCommand(Root.repository(), () => undefined)
    expect(warnings.join('\n')).not.toContain('git show')
  })
})

async function rollBackCommand(root: Root, act: () => void) {
  const transaction = root.transaction({ atomic: true })
  await command(transaction, act)
  return transaction.rollBack(SUMMARY, root.gate)
}

function path(root: Root, name: string): string {
  return join(root.directory, name)
}

function mode(root: Root, name: string): string {
  return (statSync(path(root, name)).mode & 0o777).toString(8)
}

describe('files that were ignored before a command', () => {
  const make = (): Root => {
    const root = Root.repository({ '.gitignore': '.env\nbuild/\n*.log\n', 'a.txt': 'a\n' })
    root.put({ '.env': 'SECRET=1\n', 'build/deep/out.js': 'built\n', 'logs/x.log': 'log\n' })
    mkdirSync(path(root, 'build/empty'))
    chmodSync(path(root, 'build'), 0o711)
    chmodSync(path(root, '.env'), 0o640)
    return root
  }
  const unignore = (root: Root) => () => root.put({ '.gitignore': '\n', 'logs/new.txt': 'new\n' })

  it('and are not since are neither committed nor removed by undo', async () => {
    const root = make()
    const before = root.tree()
    await runCommand(root, unignore(root))
    expect(root.changedIn()).toEqual(['.gitignore', 'logs/new.txt'])
    const { left, warnings } = await root.undo()
    expect(left).toEqual([])
    expect(root.tree()).toEqual(before)
    expect(mode(root, 'build')).toBe('711')
    expect(root.status()).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/ignored files \(\.env, build\/, logs\/x\.log\)/)])
  })

  it('and are not since survive a roll-back', async () => {
    const root = make()
    const before = root.tree()
    expect(await rollBackCommand(root, unignore(root))).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('stay out of a commit that takes in other files that a command made', async () => {
    const root = make()
    await runCommand(root, () => {
      root.put({ '.gitignore': '*.log\n', 'new.txt': 'new\n', 'build/more.js': 'also built\n' })
    })
    expect(root.changedIn()).toEqual(['.gitignore', 'new.txt'])
    await root.undo()
    expect(root.text('build/more.js')).toBe('also built\n')
  })

  it('are not those of a repository of its own whose .git a command removed', async () => {
    const root = make()
    mkdirSync(path(root, 'nested'))
    root.git('init', '--quiet', 'nested')
    root.put({ 'nested/a.txt': 'nested\n' })
    root.git('-C', 'nested', 'add', '--all')
    root.git('-C', 'nested', 'commit', '--quiet', '-m', 'nested')
    await runCommand(root, () => {
      rmSync(path(root, 'nested/.git'), { recursive: true })
      root.put({ 'b.txt': 'b\n' })
    })
    expect(root.changedIn()).toEqual(['b.txt'])
    const { warnings } = await root.undo()
    expect(root.text('nested/a.txt')).toBe('nested\n')
    expect(warnings).toEqual([expect.stringMatching(/nested/)])
  })
})

describe('a command that changes the kind of what is at a path', () => {
  const FILES = { 'file.txt': 'file\n', 'dir/a.txt': 'a\n', 'dir/sub/b.txt': 'b\n', 'other/c.txt': 'c\n' }
  const CHANGES: Record<string, (root: Root) => void> = {
    'a file by a directory': (root) => {
      unlinkSync(path(root, 'file.txt'))
      root.put({ 'file.txt/x/y.txt': 'y\n', 'file.txt/z.txt': 'z\n' })
    },
    'a directory by a file': (root) => {
      rmSync(path(root, 'dir'), { recursive: true })
      root.put({ dir: 'now a file\n' })
    },
    'a directory by a link to another': (root) => {
      rmSync(path(root, 'dir'), { recursive: true })
      symlinkSync('other', path(root, 'dir'))
    },
    'a directory by a link to where its files are': (root) => {
      rmSync(path(root, 'dir'), { recursive: true })
      root.put({ 'other/a.txt': 'through the link\n', 'other/sub/b.txt': 'through the link\n' })
      symlinkSync('other', path(root, 'dir'))
    },
    'a link by a directory': (root) => {
      unlinkSync(path(root, 'link'))
      root.put({ 'link/x.txt': 'x\n' })
    },
    'a file by a link': (root) => {
      unlinkSync(path(root, 'file.txt'))
      symlinkSync('other/c.txt', path(root, 'file.txt'))
    },
  }
  const make = (): Root => {
    const root = Root.repository(FILES)
    symlinkSync('other', path(root, 'link'))
    root.git('add', 'link')
    root.git('commit', '--quiet', '-m', 'link')
    return root
  }

  it.each(Object.entries(CHANGES))('%s is committed, undone and redone', async (_, change) => {
    const root = make()
    const before = root.tree()
    const { fatalError, warnings, gitCommit } = await runCommand(root, () => change(root))
    expect({ fatalError, warnings }).toEqual({ fatalError: undefined, warnings: [] })
    expect(gitCommit).toMatch(/^[0-9a-f]{40}$/)
    expect(root.status()).toEqual([])
    const after = root.tree()
    expect(await root.undo()).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.status()).toEqual([])
    expect(await root.redo()).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(after)
    expect(root.status()).toEqual([])
  })

  it.skipIf(process.platform === 'win32').each(['', 'file.txt text\n'])('a file by a pipe is undone, and the rest with it (attributes: %j)', async (attributes) => {
    const root = make()
    root.put({ '.gitattributes': attributes, 'file.txt': 'of the user\r\n' })
    const before = root.tree()
    const { warnings } = await runCommand(root, () => {
      unlinkSync(path(root, 'file.txt'))
      execFileSync('mkfifo', [path(root, 'file.txt')])
      root.put({ 'other/c.txt': 'changed\n' })
    })
    expect(warnings.filter((warning) => warning.includes('cannot be undone'))).toEqual([])
    expect(await root.undo()).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(before)
  })

  it.each([false, true])('a file as git would not check it out by a directory is undone and redone (changed since: %s)', async (isChanged) => {
    const root = make()
    root.put({ '.gitattributes': 'file.txt text\n', 'file.txt': 'of the user\r\n' })
    const before = root.tree()
    const change = (): void => {
      unlinkSync(path(root, 'file.txt'))
      mkdirSync(path(root, 'file.txt'))
    }
    await runCommand(root, change)
    const after = root.tree()
    if (isChanged) {
      rmdirSync(path(root, 'file.txt'))
      root.put({ 'file.txt': 'someone else\n' })
      const found = root.tree()
      await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
      await root.undo({ force: true })
      expect(root.tree()).toEqual(found)
      return
    }
    expect(await root.undo()).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(before)
    expect(await root.redo()).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(after)
  })

  it.each(Object.entries(CHANGES))('%s is put back when the run is rolled back', async (_, change) => {
    const root = make()
    const before = root.tree()
    expect(await rollBackCommand(root, () => change(root))).toMatchObject({ left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.status()).toEqual([])
  })

  it('keeps out of the commit what stands in the way of a file that was not clean before', async () => {
    const root = make()
    root.put({ 'dir/a.txt': 'dirty\n' })
    const before = root.tree()
    const { warnings, fatalError } = await runCommand(root, () => {
      CHANGES['a directory by a file']?.(root)
      root.put({ 'other/c.txt': 'by a command\n' })
    })
    expect(fatalError).toBeUndefined()
    expect(root.changedIn()).toEqual(['dir/sub/b.txt', 'other/c.txt'])
    expect(warnings).toEqual([expect.stringMatching(/not committed.*dir/)])
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('does not bring ignored files into the commit', async () => {
    const root = make()
    root.put({ '.gitignore': 'build/\n' })
    root.git('add', '.gitignore')
    root.git('commit', '--quiet', '-m', 'ignore')
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'build/out.txt', 'built\n')
    await command(transaction, () => CHANGES['a directory by a link to another']?.(root))
    await transaction.finish(SUMMARY)
    expect(root.changedIn()).toEqual(['dir', 'dir/a.txt', 'dir/sub/b.txt'])
    await root.undo()
  })

  it('leaves a directory that holds more than the run has made, and says so', async () => {
    const root = make()
    root.put({ '.gitignore': '*.log\n' })
    const { left } = await rollBackCommand(root, () => {
      CHANGES['a file by a directory']?.(root)
      root.put({ 'file.txt/kept.log': 'kept\n' })
    })
    expect(left).toEqual([{ path: 'file.txt', reason: expect.stringMatching(/ENOTEMPTY/) }])
    expect(root.tree()['file.txt/kept.log']).toBe('644 kept\n')
  })
})

it('what a command did under names that are closed to verbs is taken back and done again, but for hermes\' own state', async () => {
  const root = Root.repository({ '.ssh/config': 'Host a\n', 'hermes.yaml': '{}\n', 'a.txt': 'a\n', '.hermes/kept': 'kept\n' })
  const before = root.tree()
  await runCommand(root, () => {
    root.put({
      '.ssh/config': 'Host b\n', 'hermes.yaml': 'verbs: {}\n', '.hermes-tmp-mine/x': 'x\n', '.hermes-tmp-y': 'y\n',
      'sub/hermes.yaml': '{}\n', 'sub/.hermes/x': 'x\n', 'sub/.env': 'A=1\n', '.hermes/kept': 'changed\n',
    })
  })
  const after = root.tree()
  const left = [{ path: '.hermes/kept', reason: expect.stringMatching(/hermes' own state.*by hand/) }]
  expect((await root.undo()).left).toEqual(left)
  expect(root.tree()).toEqual(before)
  root.put({ '.hermes/kept': 'kept\n' })
  expect((await root.undo()).left).toEqual([])
  // Nothing of what a command made is trusted because it was made again.
  expect((await root.redo()).warnings).toContainEqual(expect.stringMatching(/^Made by a command.*sub\/hermes\.yaml/))
  expect(root.tree()).toEqual(after)
  expect(() => requireTrustedRoot(path(root, 'sub'))).toThrow(/command of hermes made/)
})

describe('what git does not keep', () => {
  it('of modes is put back from the look before the first command', async () => {
    for (const takeBack of ['undo', 'roll back']) {
      const root = Root.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.sh': 'd\n', 'e/f.txt': 'f\n' })
      chmodSync(path(root, 'a.txt'), 0o600)
      chmodSync(path(root, 'b.txt'), 0o640)
      chmodSync(path(root, 'd.sh'), 0o700)
      chmodSync(path(root, 'e'), 0o750)
      root.git('commit', '--quiet', '--all', '-m', 'modes')
      const before = { ...root.tree(), dir: mode(root, 'e') }
      const act = () => {
        unlinkSync(path(root, 'a.txt'))
        chmodSync(path(root, 'b.txt'), 0o666)
        chmodSync(path(root, 'c.txt'), 0o600)
        chmodSync(path(root, 'd.sh'), 0o644)
        rmSync(path(root, 'e'), { recursive: true })
      }
      if (takeBack === 'undo') {
        await runCommand(root, act)
        expect((await root.undo()).left).toEqual([])
      } else expect((await rollBackCommand(root, act)).left).toEqual([])
      expect({ ...root.tree(), dir: mode(root, 'e') }).toEqual(before)
    }
  })

  it('of directories that were made read-only does not stop the files in them from being put back', async () => {
    const root = Root.repository({ 'e/f.txt': 'f\n' })
    await runCommand(root, () => {
      root.put({ 'e/f.txt': 'by a command\n' })
      chmodSync(path(root, 'e'), 0o555)
    })
    expect((await root.undo()).left).toEqual([])
    expect([root.text('e/f.txt'), mode(root, 'e')]).toEqual(['f\n', '755'])
    await root.redo()
    expect([root.text('e/f.txt'), mode(root, 'e')]).toEqual(['by a command\n', '555'])
  })

  it('of empty directories is put back', async () => {
    const root = Root.repository()
    mkdirSync(path(root, 'empty/deep'), { recursive: true })
    const before = root.tree()
    await runCommand(root, () => {
      rmdirSync(path(root, 'empty/deep'))
      mkdirSync(path(root, 'made/below'), { recursive: true })
      root.put({ 'full/x.txt': 'x\n' })
    })
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('is told also where nothing is ignored', async () => {
    const root = Root.repository()
    await runCommand(root, () => root.put({ 'a.txt': 'by a command\n' }))
    expect((await root.undo()).warnings).toEqual([
      expect.stringMatching(/^Commands ran: .*ignored files, .*repositories of their own, .*outside of .* not known/),
    ])
  })
})

describe('verbs and commands in one run', () => {
  it('a file that a verb wrote and a command changed is committed as it is in the end', async () => {
    const root = Root.repository()
    root.put({ 'b.txt': 'dirty\n' })
    const before = root.tree()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'by a verb\n')
    root.change(transaction, 'b.txt', 'by a verb\n')
    root.change(transaction, 'made.txt', 'by a verb\n')
    await command(transaction, () => {
      root.put({ 'a.txt': 'formatted\n', 'b.txt': 'formatted\n' })
      unlinkSync(path(root, 'made.txt'))
    })
    expect((await transaction.finish(SUMMARY)).warnings).toEqual([])
    expect(root.changedIn()).toEqual(['a.txt', 'b.txt'])
    expect([root.git('show', 'HEAD:a.txt'), root.git('show', 'HEAD:b.txt')]).toEqual(['formatted\n', 'formatted\n'])
    expect(root.git('show', 'HEAD~1:b.txt')).toBe('dirty\n')
    expect(root.status()).toEqual([])
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('directories that verbs made after a command go with their files', async () => {
    const root = Root.repository()
    const before = root.tree()
    const transaction = root.transaction()
    await command(transaction, () => undefined)
    await transaction.beforeBlock('write')
    root.change(transaction, 'made/deep/x.txt', 'x\n')
    await command(transaction, () => root.put({ 'made/deep/x.txt': 'by a command\n', 'made/y.txt': 'y\n' }))
    await transaction.finish(SUMMARY)
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('a directory that a verb moved after a command comes back with what is ignored in it', async () => {
    const root = Root.repository({ '.gitignore': '*.log\n', 'd/a.txt': 'a\n' })
    root.put({ 'd/x.log': 'log\n' })
    const before = root.tree()
    const transaction = root.transaction()
    await command(transaction, () => undefined)
    await transaction.beforeBlock('write')
    transaction.files.move(root.gate.approve('d', 'remove'), root.gate.approve('moved', 'remove'))
    await transaction.finish(SUMMARY)
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })
})

describe('a command that uses git itself', () => {
  it('and commits: what it changed is clean, and is taken back by a new commit', async () => {
    const root = Root.repository()
    const { warnings, gitCommit } = await runCommand(root, () => {
      root.put({ 'a.txt': 'by a command\n' })
      root.git('commit', '--quiet', '--all', '-m', 'by a command')
    })
    expect({ warnings, gitCommit }).toEqual({ warnings: [], gitCommit: undefined })
    expect((await root.undo()).left).toEqual([])
    expect(root.text('a.txt')).toBe('a\n')
    expect(root.subjects().slice(1)).toEqual(['by a command', 'start'])
  })

  it('and goes to another branch: the files of that branch stay as they are there', async () => {
    const root = Root.repository()
    root.git('switch', '--quiet', '-c', 'other')
    root.put({ 'a.txt': 'of the other branch\n' })
    root.git('commit', '--quiet', '--all', '-m', 'other')
    root.git('switch', '--quiet', 'main')
    await runCommand(root, () => {
      root.git('switch', '--quiet', 'other')
      root.put({ 'b.txt': 'by a command\n' })
    })
    expect(root.changedIn()).toEqual(['b.txt'])
    const { left, warnings } = await root.undo()
    expect(left).toEqual([])
    expect([root.text('a.txt'), root.text('b.txt')]).toEqual(['of the other branch\n', 'b\n'])
    expect(warnings).toEqual([expect.stringMatching(/HEAD was moved/), expect.stringMatching(/^Commands ran/)])
  })
})

it('where git has removed the snapshots since, undo says that it is not known what commands changed', async () => {
  const root = Root.repository()
  root.put({ 'a.txt': 'dirty\n' })
  await runCommand(root, () => root.put({ 'a.txt': 'by a command\n', 'made.txt': 'made\n' }))
  root.git('gc', '--quiet', '--prune=now')
  const { warnings } = await root.undo()
  expect(warnings).toEqual([expect.stringMatching(/^Commands ran: what they changed is not known \(git: .*\), and stays$/)])
  expect(root.text('a.txt')).toBe('by a command\n')
})

it('what a command does in a sparse checkout, outside of it, is known', async () => {
  const root = Root.repository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' })
  root.git('sparse-checkout', 'set', 'in')
  const before = root.tree()
  const { warnings } = await runCommand(root, () => root.put({ 'in/a.txt': 'new\n', 'out/new.txt': 'new\n' }))
  expect(warnings).toEqual([])
  expect((await root.undo()).left).toEqual([])
  expect(existsSync(path(root, 'out/new.txt'))).toBe(false)
  expect(root.tree()).toEqual(before)
  expect(readFileSync(path(root, 'in/a.txt'), 'utf8')).toBe('a\n')
})

describe('a command in a sparse checkout', () => {
  const FILES = { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/c.txt': 'c\n', 'more/d.txt': 'd\n' }
  const make = () => {
    const root = Root.repository(FILES)
    root.git('sparse-checkout', 'set', 'in')
    return root
  }
  const committed = (root: Root) => Object.fromEntries(Object.keys(FILES).map((name) => [name, root.git('show', `HEAD:${name}`)]))

  it('that writes a file outside of it has changed that file alone', async () => {
    const root = make()
    const before = root.tree()
    await runCommand(root, () => root.put({ 'out/b.txt': 'new\n' }))
    expect(committed(root)).toEqual({ ...FILES, 'out/b.txt': 'new\n' })
    expect((await root.undo()).left).toEqual([])
    expect(committed(root)).toEqual(FILES)
    expect(root.status()).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('that narrows, moves or ends it has removed no file', async () => {
    for (const [cone, files] of [['more', { 'more/d.txt': 'new\n' }], ['', { 'out/b.txt': 'new\n' }]] as const) {
      const root = make()
      await runCommand(root, () => {
        root.git('sparse-checkout', ...(cone === '' ? ['disable'] : ['set', cone]))
        root.put(files)
      })
      expect(committed(root)).toEqual({ ...FILES, ...files })
      expect(root.status()).toEqual([])
      expect((await root.undo()).left).toEqual([])
      expect(committed(root)).toEqual(FILES)
      expect(root.status()).toEqual([])
    }
  })
})
