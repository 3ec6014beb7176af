import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { stateDirectory } from '../../../2-files/src/store/index.js'
import { stepBack, stepForward } from '../../src/history/index.js'
import { Sandbox } from './sandbox.js'

const THREE = [{ 'a.txt': '1\n', 'd/b.txt': 'b\n' }, { 'a.txt': '2\n', 'c.txt': 'c\n' }, { 'a.txt': '3\n' }]

describe('step back and forward', () => {
  it('moves by one commit, detached, and comes back to the branch', async () => {
    const sandbox = Sandbox.of(...THREE)
    const [third, second, first] = sandbox.git('rev-list', 'HEAD').split('\n')
    expect(await sandbox.back()).toEqual({ success: true, from: third, to: second })
    expect(await sandbox.back()).toEqual({ success: true, from: second, to: first })
    expect(sandbox.read('a.txt')).toBe('1\n')
    expect(existsSync(join(sandbox.root, 'c.txt'))).toBe(false)
    expect(await sandbox.forward()).toEqual({ success: true, from: first, to: second })
    expect(sandbox.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD')
    expect(await sandbox.forward()).toEqual({ success: true, from: second, to: third, branch: 'refs/heads/main' })
    expect(sandbox.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main')
    expect(existsSync(join(sandbox.root, '.hermes', 'steps.json'))).toBe(false)
  })

  it('takes a name for a commit that a file has too', async () => {
    const sandbox = Sandbox.of(...THREE)
    const [third = '', second = ''] = sandbox.git('rev-list', 'HEAD').split('\n')
    const named = [second, third, ...sandbox.git('log', '--format=%T').split('\n')]
    sandbox.put({ '.git/info/exclude': named.join('\n'), ...Object.fromEntries(named.map((name) => [name, 'a file\n'])) })
    sandbox.put({ 'a.txt': 'mine\n' })
    const before = sandbox.snapshot()
    expect(await sandbox.back()).toMatchObject({ success: true, from: third, to: second })
    expect(await sandbox.forward()).toMatchObject({ success: true, to: third })
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('keeps staged, unstaged and untracked work, bit for bit', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'staged\n', 'new.bin': '\0\r\n\ufeffx', 'u/ü "q"\n.txt': 'u', 'both.txt': 'staged' })
    sandbox.git('add', 'a.txt', 'both.txt')
    sandbox.put({ 'a.txt': 'on disk\r\n', 'both.txt': 'disk', 'd/b.txt': null })
    chmodSync(join(sandbox.root, 'c.txt'), 0o755)
    chmodSync(join(sandbox.root, 'new.bin'), 0o600)
    symlinkSync('nowhere', join(sandbox.root, 'link'))
    const before = sandbox.snapshot()
    const { stashed_files: stashed } = await sandbox.back()
    expect(stashed).toEqual(['a.txt', 'both.txt', 'c.txt', 'd/b.txt', 'link', 'new.bin', 'u/ü "q"\n.txt'])
    expect(sandbox.git('status', '--porcelain')).toBe('')
    expect(sandbox.git('stash', 'list')).toMatch(/^stash@\{0\}: hermes: hermes work at [0-9a-f]{10}$/)
    expect(await sandbox.forward()).toMatchObject({ success: true, restored_files: stashed })
    expect(sandbox.snapshot()).toEqual(before)
    expect(statSync(join(sandbox.root, 'new.bin')).mode & 0o777).toBe(0o600)
    expect(sandbox.stashes()).toEqual([])
  })

  it('keeps work as it is on disk where git has it otherwise: line ends, and filters that drop something', async () => {
    const sandbox = Sandbox.of({ '.gitattributes': '*.nb filter=drop\n', 'a.txt': '1\n', 'a.nb': '1\n' }, { 'a.txt': '2\n' })
    sandbox.git('config', 'core.autocrlf', 'true')
    sandbox.git('config', 'filter.drop.clean', 'grep -v printed || true')
    sandbox.put({
      'a.txt': 'mixed\r\nends\n', 'u.txt': 'plain\nends\n', 'a.nb': '2\nprinted\n', 'd/u.nb': 'x\nprinted\n', 'kept.nb': 'as git has it\r\n',
    })
    chmodSync(join(sandbox.root, 'd/u.nb'), 0o755)
    sandbox.git('-c', 'core.safecrlf=false', 'add', 'a.nb')
    sandbox.git('add', '--intent-to-add', 'u.txt')
    const before = sandbox.snapshot()
    const status = sandbox.git('status', '--porcelain')
    await sandbox.back()
    expect(await sandbox.forward()).toMatchObject({ success: true })
    expect(sandbox.snapshot()).toEqual(before)
    expect(sandbox.git('status', '--porcelain')).toBe(status)
    expect(sandbox.stashes()).toEqual([])
  })

  it('keeps what git stash would not: rm --cached, add and rm, intent to add, file and directory swapped', async () => {
    const sandbox = Sandbox.of({ 'kept.txt': 'k', 'f': 'file', 'd/x': 'x', '.gitignore': '*.env\n' }, { 'b': 'b' })
    sandbox.git('rm', '--quiet', '--cached', 'kept.txt')
    sandbox.put({ 'kept.txt': 'own', 'gone.txt': 'g', 'later.txt': 'later', 'f': null, 'd': null })
    sandbox.git('add', 'gone.txt')
    sandbox.git('add', '--intent-to-add', 'later.txt')
    sandbox.put({ 'gone.txt': null, 'f/inside': 'now a directory', 'd': 'now a file' })
    const before = sandbox.snapshot()
    await sandbox.back()
    expect(sandbox.git('status', '--porcelain')).toBe('')
    expect(await sandbox.forward()).toMatchObject({ success: true })
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('never touches ignored files, also where an older commit does not ignore or has tracked them', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'a': '2', '.gitignore': 'build/\n*.env\n' })
    sandbox.put({ 'build/out.js': 'built', 'my.env': 'secret', 'loose': 'x' })
    const before = sandbox.snapshot()
    expect(await sandbox.back()).toMatchObject({ stashed_files: ['loose'] })
    expect(sandbox.read('my.env')).toBe('secret')
    expect(await sandbox.forward()).not.toHaveProperty('stashed_files')
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('does not overwrite an ignored file that the older commit has, and puts the work back', async () => {
    const sandbox = Sandbox.of({ 'my.env': 'tracked', 'a': '1' }, { 'my.env': null, '.gitignore': '*.env\n' })
    sandbox.put({ 'my.env': 'secret', 'a': 'dirty', 'new': 'n' })
    const before = sandbox.snapshot()
    await expect(sandbox.back()).rejects.toMatchObject({
      code: 'EEXIST', hint: 'Move them away first: my.env.', data: { conflicts: ['my.env'] },
    })
    expect(sandbox.snapshot()).toEqual(before)
    expect(sandbox.stashes()).toEqual([])
    expect(existsSync(join(sandbox.root, '.hermes', 'steps.json'))).toBe(false)
  })

  it('keeps an ignored file that was just taken out of the index', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'my.env': 'old' })
    sandbox.git('rm', '--quiet', '--cached', 'my.env')
    sandbox.put({ 'my.env': 'secret', '.gitignore': '*.env\n' })
    const before = sandbox.snapshot()
    await sandbox.back()
    expect(existsSync(join(sandbox.root, 'my.env'))).toBe(false)
    await sandbox.forward()
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('stashes work done at an older commit, and brings it back there', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'work at 3' })
    await sandbox.back()
    sandbox.put({ 'a.txt': 'work at 2', 'new': 'n' })
    expect(await sandbox.back()).toMatchObject({ stashed_files: ['a.txt', 'new'] })
    expect(await sandbox.forward()).toMatchObject({ restored_files: ['a.txt', 'new'] })
    expect(sandbox.read('a.txt')).toBe('work at 2')
    expect(await sandbox.forward()).toMatchObject({ stashed_files: ['a.txt', 'new'], restored_files: ['a.txt'] })
    expect(sandbox.read('a.txt')).toBe('work at 3')
    expect(sandbox.stashes()).toHaveLength(1)
    sandbox.git('checkout', '--quiet', '--', 'a.txt')
    expect(await sandbox.back()).toMatchObject({ restored_files: ['a.txt', 'new'] })
    expect(sandbox.stashes()).toHaveLength(0)
  })

  it('reports what stands in the way, keeps the stash, and tries again', async () => {
    const sandbox = Sandbox.of({ 'a': '1', '.gitignore': 'x\n' }, { '.gitignore': '' })
    sandbox.put({ 'x': 'work', 'a': 'dirty' })
    await sandbox.back()
    sandbox.put({ 'x': 'ignored here' })
    const [stash] = sandbox.stashes()
    const conflicted = { success: false, conflicts: ['x'], kept_stashes: [stash], branch: 'refs/heads/main' }
    expect(await sandbox.forward()).toMatchObject(conflicted)
    expect(sandbox.read('x')).toBe('ignored here')
    expect(sandbox.read('a')).toBe('1')
    expect(await sandbox.forward()).toMatchObject(conflicted)
    sandbox.put({ 'x': null })
    expect(await sandbox.forward()).toMatchObject({ success: true, restored_files: ['a', 'x'] })
    expect([sandbox.read('x'), sandbox.read('a')]).toEqual(['work', 'dirty'])
    expect(sandbox.stashes()).toEqual([])
    await expect(sandbox.forward()).rejects.toThrow('there is no commit to go forward to')
  })

  it('finds its stash by SHA among others, and forgets one that the user removed', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'mine' })
    await sandbox.back()
    sandbox.put({ 'a.txt': 'other' })
    sandbox.git('stash', 'push', '--quiet', '-m', 'by hand')
    expect(await sandbox.forward()).toMatchObject({ restored_files: ['a.txt'] })
    expect(sandbox.read('a.txt')).toBe('mine')
    expect(sandbox.git('stash', 'list', '--format=%s')).toBe('On (no branch): by hand')
    await sandbox.back()
    sandbox.git('stash', 'drop', '--quiet')
    expect(await sandbox.forward()).not.toHaveProperty('restored_files')
  })

  it('follows first parents of merges, and goes forward the way it came', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.git('switch', '--quiet', '-c', 'side', 'HEAD~1')
    sandbox.commit('side', { 'side.txt': 's' })
    sandbox.git('switch', '--quiet', 'main')
    const before = sandbox.head()
    sandbox.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side')
    const merge = sandbox.head()
    expect(await sandbox.back()).toMatchObject({ to: before })
    expect(await sandbox.forward()).toMatchObject({ to: merge, branch: 'refs/heads/main' })
  })

  it('leaves nested repositories and submodules alone', async () => {
    const library = Sandbox.of({ 'l': '1' }, { 'l': '2' })
    const sandbox = Sandbox.of({ 'a': '1' })
    sandbox.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'sub')
    sandbox.commit('submodule')
    sandbox.commit('next', { 'a': '2' })
    writeFileSync(join(sandbox.root, 'sub', 'l'), 'dirty in submodule')
    mkdirSync(join(sandbox.root, 'nested'))
    sandbox.git('init', '--quiet', 'nested')
    sandbox.put({ 'nested/n': 'n', 'a': 'dirty' })
    const before = sandbox.snapshot()
    expect(await sandbox.back()).toMatchObject({ stashed_files: ['a'] })
    await sandbox.back()
    expect(readFileSync(join(sandbox.root, 'sub', 'l'), 'utf8')).toBe('dirty in submodule')
    await sandbox.forward()
    await sandbox.forward()
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('goes on from any directory of the work tree', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'mine\n', 'd/u.txt': 'u\n' })
    const before = sandbox.snapshot()
    const below = { ...sandbox.options, root: join(sandbox.root, 'd') }
    await stepBack(below)
    await sandbox.back()
    await stepForward(below)
    expect(await sandbox.forward()).toMatchObject({ success: true, branch: 'refs/heads/main', restored_files: ['a.txt', 'd/u.txt'] })
    rmSync(join(below.root, '.hermes'), { recursive: true })
    expect(sandbox.snapshot()).toEqual(before)
    stateDirectory(sandbox.root)
    writeFileSync(join(sandbox.root, '.hermes', 'lock'), JSON.stringify({
      id: 'x', pid: process.ppid, host: hostname(), runId: 'other', since: new Date().toISOString(),
    }))
    await expect(stepBack(below)).rejects.toMatchObject({ code: 'LOCKED' })
  })

  it('works in a linked work tree with a detached HEAD', async () => {
    const main = Sandbox.of(...THREE)
    const linked = join(tempDir(), 'linked')
    main.git('worktree', 'add', '--quiet', '--detach', linked, 'HEAD')
    const options = { root: linked, signal: main.options.signal }
    writeFileSync(join(linked, 'new'), 'n')
    expect(await stepBack(options)).toMatchObject({ stashed_files: ['new'] })
    expect(existsSync(join(linked, 'new'))).toBe(false)
  })
})

describe('refusals', () => {
  it('says what is wrong with the place', async () => {
    const options = { root: tempDir(), signal: new AbortController().signal }
    await expect(stepBack(options)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' })
    await expect(new Sandbox().back()).rejects.toThrow('step-back: there is no commit yet')
    await expect(Sandbox.of({ 'a': '1' }).back()).rejects.toThrow(/step-back: [0-9a-f]{10} has no commit before it/)
    const nowhere = 'step-forward: there is no commit to go forward to'
    await expect(Sandbox.of({ 'a': '1' }).forward()).rejects.toThrow(nowhere)
  })

  it('does nothing during a merge, or with conflicts left over', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'a': '2' })
    sandbox.git('switch', '--quiet', '-c', 'side', 'HEAD~1')
    sandbox.commit('side', { 'a': 'side' })
    expect(() => sandbox.git('merge', 'main')).toThrow('merge')
    await expect(sandbox.back()).rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS', message: 'step-back: a merge is in progress, so nothing was changed',
    })
    sandbox.git('merge', '--abort')
    sandbox.put({ 'a': 'work' })
    sandbox.git('stash', '--quiet')
    sandbox.git('switch', '--quiet', 'main')
    expect(() => sandbox.git('stash', 'pop')).toThrow('pop')
    await expect(sandbox.back()).rejects.toThrow('step-back: there are conflicts that are not resolved')
  })

  it('does not go forward when the branch has moved or is gone', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'work' })
    await sandbox.back()
    const [stash] = sandbox.stashes()
    sandbox.git('branch', '--force', 'main', 'HEAD')
    await expect(sandbox.forward()).rejects.toMatchObject({
      message: expect.stringMatching(/the branch main has moved from \w{10} to \w{10} since it was left/) as unknown,
      hint: 'git switch main goes to where it is now. '
        + `Work stashed there: git stash apply --index ${stash?.slice(0, 10)}.`,
    })
    sandbox.git('branch', '--quiet', '-D', 'main')
    await expect(sandbox.forward()).rejects.toThrow('the branch main that was left is gone')
  })

  it('does not move a HEAD that was taken elsewhere', async () => {
    const sandbox = Sandbox.of(...THREE)
    const { to } = await sandbox.back()
    sandbox.commit('own', { 'own': 'o' })
    await expect(sandbox.forward()).rejects.toMatchObject({
      message: expect.stringMatching(/HEAD is at \w{10}, where no step has led/) as unknown,
      hint: expect.stringContaining(`git checkout --detach ${to.slice(0, 10)} goes back on the way`) as unknown,
    })
    const hint: unknown = expect.stringContaining('git switch -c NAME')
    await expect(sandbox.back()).rejects.toMatchObject({ hint })
    sandbox.git('switch', '--quiet', '-c', 'own')
    expect(await sandbox.back()).toMatchObject({ to })
    expect(await sandbox.forward()).toMatchObject({ branch: 'refs/heads/own' })
  })

  it('puts work back also when the user went to the branch by hand', async () => {
    const sandbox = Sandbox.of(...THREE)
    sandbox.put({ 'a.txt': 'work' })
    const before = sandbox.snapshot()
    await sandbox.back()
    await sandbox.back()
    sandbox.git('switch', '--quiet', 'main')
    expect(await sandbox.forward()).toMatchObject({ restored_files: ['a.txt'], branch: 'refs/heads/main' })
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('leaves a root alone that another run works in', async () => {
    const sandbox = Sandbox.of(...THREE)
    const lock = join(stateDirectory(sandbox.root), 'lock')
    const owner = { id: 'x', pid: process.ppid, host: hostname(), runId: 'other', since: new Date().toISOString() }
    writeFileSync(lock, JSON.stringify(owner))
    await expect(sandbox.back()).rejects.toMatchObject({ code: 'LOCKED' })
    rmSync(lock)
    expect(await sandbox.back()).toMatchObject({ success: true })
  })
})
