import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { requireTrustedRoot } from '../../../2-sandbox/src/index.js'
import { aliveUntil } from '../../src/transaction/heartbeat.js'
import { requireTrusted } from '../../src/transaction/index.js'
import { useProgram } from '../../../../test/support/program.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Root } from './root.js'

const FILES = { '.gitignore': '.env\n', 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'dir/d.txt': 'd\n' }
/** Changes, makes, removes and replaces files, and shows git one that was ignored. */
const COMMAND = 'echo formatted > a.txt; echo by a command > c.txt; echo made > made.txt; rm -r dir; echo file > dir; echo > .gitignore'

const script = useProgram(new URL('support/die-in-command.ts', import.meta.url))

function die(root: Root, options: object = {}, command = COMMAND): void {
  const { signal, stderr } = spawnSync(process.execPath, [script.path, root.directory, 'run-000000-commands', command, JSON.stringify(options)], { encoding: 'utf8' })
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
}

function make(): Root {
  const root = Root.repository(FILES)
  root.put({ '.env': 'SECRET=1\n', 'c.txt': 'dirty\n' })
  return root
}

describe('a run that died in a command', () => {
  it.each([[true, {}], [false, { atomic: true }]])('is put back (restore: %s, %o)', async (restore, options) => {
    const root = make()
    const before = root.tree()
    die(root, options)
    const { restored, left, warnings, paths } = await root.recover(restore)
    expect({ restored, left }).toEqual({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.status()).toEqual([' M c.txt'])
    expect(root.subjects()).toEqual(['start'])
    expect(paths.sort()).toEqual(['.gitignore', 'a.txt', 'c.txt', 'dir', 'dir/d.txt', 'made.txt'])
    expect(warnings).toEqual([
      expect.stringMatching(/whoever changed it.*git show refs\/hermes\/recover\/run-000000-commands:found\/PATH/),
      expect.stringMatching(/^Commands ran: .*\.env/),
    ])
    expect(root.git('show', 'refs/hermes/recover/run-000000-commands:found/c.txt')).toBe('by a command\n')
    expect(await root.recover(false)).toEqual({ restored: false, paths: [], left: [] })
    await root.run({ 'next.txt': 'next\n' })
  })

  it('is finished: what was clean before is committed, the rest is told', async () => {
    const root = make()
    const before = root.tree()
    die(root)
    const { gitCommit, warnings, left } = await root.recover(false)
    expect(gitCommit).toBe(root.git('rev-parse', 'HEAD').trim())
    expect(root.changedIn()).toEqual(['.gitignore', 'a.txt', 'dir', 'dir/d.txt', 'made.txt'])
    expect(root.git('show', 'HEAD:a.txt')).toBe('formatted\n')
    expect(root.status()).toEqual([' M c.txt', '?? .env'])
    expect({ warnings, left }).toEqual({ warnings: [expect.stringMatching(/^Changed by a command, not committed.*c\.txt/)], left: [] })
    expect((await root.undo()).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })

  it('of which nothing is known says so when it is put back', async () => {
    const root = new Root()
    root.put(FILES)
    die(root, { atomic: true })
    expect((await root.recover(false)).left).toContainEqual({ path: '.', reason: expect.stringMatching(/^commands ran: .* not known/) })
    expect(root.text('made.txt')).toBe('made\n')
  })

  it('is put back in a work tree also where nothing was to be committed', async () => {
    const root = make()
    const before = root.tree()
    die(root, { git: false, atomic: true })
    expect(await root.recover(false)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
  })

  it('is put back without what was changed since in a file of which git drops that', async () => {
    const root = make()
    root.git('config', 'filter.strip.clean', 'grep -v ^output')
    root.put({ '.gitattributes': '*.nb filter=strip\n', 'x.nb': 'code\noutput 1\n', 'a.txt': 'a\n' })
    root.git('add', '.gitattributes', 'x.nb')
    root.git('commit', '--quiet', '-m', 'filter')
    const before = root.tree()
    die(root)
    root.put({ 'x.nb': 'code\noutput 2\n' })
    expect(await root.recover(true)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual({ ...before, 'x.nb': '644 code\noutput 2\n' })
  })

  it('is put back with the changes of commands also where nothing else is asked of git', async () => {
    const root = make()
    const before = root.tree()
    die(root)
    const { recover } = await import('../../src/transaction/index.js')
    const options = { root: root.directory, gate: root.gate, git: false, waitMs: 0, signal: new AbortController().signal }
    expect(await recover({ ...options, restore: true })).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
  })
})

describe('a repository that a command made before its run died', () => {
  const MAKE = 'git init -q sub; git init -q mine/deep; echo "allow: []" > sub/hermes.yaml'

  it('counts for nothing once the run was recovered, and is named', async () => {
    const root = make()
    die(root, {}, MAKE)
    const { warnings } = await root.recover(false)
    expect(warnings?.join('\n')).toMatch(/Made by a command before the run died.*sub\/\.git/)
    for (const name of ['sub', 'mine/deep']) expect(() => requireTrustedRoot(join(root.directory, name))).toThrow(/A command of hermes made/)
  })

  it('counts for nothing also where the run was not', async () => {
    const root = make()
    root.git('init', '-q', 'before')
    die(root, {}, MAKE)
    const until = aliveUntil(join(root.directory, '.hermes/journal/run-000000-commands')) ?? 0n
    await vi.waitFor(() => expect(BigInt(Date.now() - 20) * 1_000_000n).toBeGreaterThan(until), 60_000)
    root.git('init', '-q', 'after')
    expect(() => requireTrusted(join(root.directory, 'mine/deep'))).toThrow(/A command of hermes made/)
    for (const name of ['before', 'after']) expect(() => requireTrusted(join(root.directory, name))).not.toThrow()
  })

  it('is not looked for above where nothing can be read', () => {
    const above = tempDir()
    symlinkSync('.hermes', join(above, '.hermes'))
    mkdirSync(join(above, 'root'))
    expect(() => requireTrusted(join(above, 'root'))).not.toThrow()
  })
})
