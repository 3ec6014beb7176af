import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli, type CliOutcome } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'

const cli = useCli()
const env = {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@example.org', TZ: 'UTC',
}
const ID = /\d{8}T\d{9}Z-[0-9a-f]{6}/g

class Project {
  readonly root = tempDir()

  static repository(): Project {
    const project = new Project()
    project.git('init', '--quiet', '--initial-branch=main')
    project.put('a.txt', 'a\n')
    project.git('add', '--all')
    project.git('commit', '--quiet', '-m', 'start')
    return project
  }

  put(name: string, content: string): void {
    mkdirSync(join(this.root, name, '..'), { recursive: true })
    writeFileSync(join(this.root, name), content)
  }

  text(name: string): string {
    return readFileSync(join(this.root, name), 'utf8')
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', env: { ...process.env, ...env } }).trim()
  }

  /** Ids, times and hashes are replaced in what is printed. */
  async hermes(args: string[], input?: string): Promise<CliOutcome> {
    const outcome = await cli.run(args, { cwd: this.root, env, ...(input !== undefined && { input }) })
    const settle = (text: string): string => text.replaceAll(ID, '<id>').replaceAll(this.root, '<root>').replaceAll('\u001b', '␛')
      .replaceAll(/commit [0-9a-f]{12}/g, 'commit <sha>').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>').replaceAll(/\d+\.\d\d s/g, '0.00 s')
    return { ...outcome, stdout: settle(outcome.stdout), stderr: settle(outcome.stderr) }
  }

  apply(files: Record<string, string>, ...flags: string[]): Promise<CliOutcome> {
    const blocks = Object.entries(files).map(([path, content], at) => shamBlock(`x${at}`, 'file_write', { path, content }))
    return this.hermes(['apply', '-', '--relative-paths', ...flags], `${blocks.join('\n')}\n`)
  }

  /** Leaves the journal of a run without a commit that died after it had written `a.txt`. */
  async dieAfterWrite(): Promise<void> {
    await this.apply({ 'a.txt': 'new\n' }, '--no-git')
    const [run = ''] = readdirSync(join(this.root, '.hermes/journal')).toReversed()
    const log = join(this.root, '.hermes/journal', run, 'log.jsonl')
    const lines = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, `${lines.filter((line) => line !== '' && !line.includes('"op":"end"')).join('\n')}\n`)
    appendFileSync(log, '{"op":"set","pa')
  }
}

describe('apply', () => {
  it('prints the commit, and makes none with --no-git', async () => {
    const project = Project.repository()
    const { stdout, stderr, exitCode } = await project.apply({ 'a.txt': 'new\n' })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toContain('1 of 1 block succeeded · commit <sha>… · 0.00 s\n')
    const json = await project.apply({ 'a.txt': 'newer\n' }, '--no-git', '--json')
    expect(JSON.parse(json.stdout)).not.toHaveProperty('gitCommit')
    expect(project.git('status', '--porcelain')).toBe('M a.txt')
  })

  it.each([['--atomic'], ['--atomic=files']])('%s puts everything back when a block fails', async (flag) => {
    const project = Project.repository()
    const { stdout, exitCode } = await project.apply({ 'a.txt': 'new\n', '../out.txt': 'x' }, flag)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Rolled back: the files are as they were before the run.\n')
    expect(project.text('a.txt')).toBe('a\n')
    expect(project.git('log', '--format=%s')).toBe('start')
    const json = await project.apply({ 'a.txt': 'new\n', '../out.txt': 'x' }, flag, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ success: false, rolledBack: true })
  })

  it('--continue runs what is left of an answer, and reports, exits and is undone for both', async () => {
    const project = Project.repository()
    const [one, two] = [{ path: 'a.txt', content: 'new' }, { path: 'b.txt', content: 'b' }].map((params, at) => shamBlock(`x${at}`, 'file_write', params))
    const first = await project.hermes(['apply', '-', '--relative-paths'], `${one}\n${two?.replace('"b"', '"b')}\n`)
    expect(first.exitCode).toBe(1)
    const second = await project.hermes(['apply', '-', '--relative-paths', '--continue', 'last', '--json'], `${one}\n${two}\n`)
    expect([second.exitCode, second.stderr]).toEqual([0, 'hermes: This goes on with run <id>\n'])
    expect(JSON.parse(second.stdout)).toMatchObject({ success: true, totalBlocks: 2, results: [{ blockId: 'x0', runId: '<id>' }, { blockId: 'x1' }] })
    expect((await project.hermes(['undo'])).stdout).toContain('Together with it: run <id>\n  b.txt\n  a.txt\n2 paths as before.')
    expect(project.git('status', '--porcelain')).toBe('')
  })

  it('--continue last says which run that is where newer ones have nothing to mend', async () => {
    const project = new Project()
    const blocks = ['x0', 'x1', 'x2'].map((id) => shamBlock(id, 'file_write', { path: `${id}.txt`, content: id }))
    await project.hermes(['apply', '-', '--relative-paths'], `${blocks[0]}\n${blocks[1]?.replace('x1.txt"', 'x1.txt')}\n`)
    await project.hermes(['apply', '-', '--relative-paths'], `${blocks[2]}\n`)
    const { stderr } = await project.hermes(['apply', '-', '--relative-paths', '--continue', 'last', '--dry-run'], `${blocks[1]}\n`)
    expect(stderr).toBe('hermes: This goes on with run <id>; 1 newer run kept no blocks to mend (<id>)\n')
  })

  it('an undo of a run that changed nothing says so, and which run did', async () => {
    const project = new Project()
    await project.hermes(['apply', '-', '--relative-paths'], shamBlock('abc', 'file_write', { path: 'a.txt', content: 'a' }))
    await project.hermes(['apply', '-', '--sandbox', 'none'], shamBlock('def', 'exec', { lang: 'bash', code: 'exit 3' }))
    const { stdout } = await project.hermes(['undo'])
    expect(stdout).toBe('Undone in part: run <id>\nCommands ran: what they changed is not known, and stays\n'
      + 'It had changed no file that is known of: nothing was put back.\n'
      + 'The last run that did is <id> (file_write a.txt): hermes undo --run <id>\n')
    expect(project.text('a.txt')).toBe('a')
  })

  it('of a command that was denied neither log nor undo says that it ran', async () => {
    const answer = [
      shamBlock('abc', 'file_write', { path: 'a.txt', content: 'new' }),
      shamBlock('def', 'exec', { lang: 'bash', code: 'mkfs.ext4 /dev/nothing' }), '',
    ].join('\n')
    const project = new Project()
    project.put('a.txt', 'a\n')
    const { stdout, exitCode } = await project.hermes(['apply', '-', '--relative-paths', '--sandbox', 'none', '--json'], answer)
    expect([exitCode, JSON.parse(stdout).results[1].code]).toEqual([1, 'APPROVAL_DENIED'])
    expect((await project.hermes(['log'])).stdout).not.toContain('commands')
    expect(await project.hermes(['undo'])).toMatchObject({ exitCode: 0, stdout: expect.not.stringMatching(/commands/i) })
    expect(project.text('a.txt')).toBe('a\n')
    // Nothing but a denied command: there is no run to take back.
    await project.hermes(['apply', '-', '--sandbox', 'none'], shamBlock('def', 'exec', { lang: 'bash', code: 'mkfs.ext4 /dev/nothing' }))
    expect((await project.hermes(['log'])).stdout.match(/^\S+ {2}/gm)).toHaveLength(2)
  })

  it('--atomic=files says what of commands is not put back', async () => {
    const answer = [
      shamBlock('abc', 'exec', { lang: 'bash', code: 'echo by command > a.txt' }), shamBlock('def', 'file_read', { path: 'none' }), '',
    ].join('\n')
    const project = Project.repository()
    project.put('.env', 'SECRET=1\n')
    project.put('.gitignore', '.env\n')
    const flags = ['apply', '-', '--relative-paths', '--atomic=files', '--sandbox', 'none']
    const { stdout, exitCode } = await project.hermes(flags, answer)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/note: Commands ran: files are put back .*ignored files \(\.env\).*not known/)
    expect(stdout).toMatch(/Rolled back: files are as they were before the run, as far as git knows them; what else commands did stays\.\n/)
    expect(project.text('a.txt')).toBe('a\n')
    const json = JSON.parse((await project.hermes([...flags, '--json'], answer)).stdout) as object
    expect(json).toMatchObject({ success: false, rolledBack: 'files', warnings: [expect.stringMatching(/^Commands ran/), expect.stringMatching(/whoever changed it; git still has .*:found/)] })
    const outside = new Project()
    const left = await outside.hermes(flags, answer)
    expect(left.stdout).toMatch(/note: Commands ran: what they changed is not known[^]*Rolled back in part/)
  })

  it('--atomic refuses commands, and takes no other value than files', async () => {
    const project = Project.repository()
    const { stdout, exitCode } = await project.hermes(['apply', '-', '--atomic', '--yes'], `${shamBlock('abc', 'exec', { lang: 'bash', code: 'touch x' })}\n`)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/exec cannot run in an atomic run[^]*--atomic=files/)
    expect(await project.apply({}, '--atomic=all')).toMatchObject({
      exitCode: 2, stdout: '', stderr: expect.stringContaining('Write --atomic or --atomic=files.'),
    })
  })

  it('says who is at work, at once or after --wait', async () => {
    const project = new Project()
    const owner = { id: 'x', pid: process.pid, host: hostname(), runId: 'other', since: new Date().toISOString() }
    project.put('.hermes/lock', JSON.stringify(owner))
    for (const flags of [[], ['--wait', '0.2']]) {
      const { stdout, exitCode } = await project.apply({ 'a.txt': 'new\n' }, ...flags)
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(/Another run works in this root: other, process \d+ on .*, for \d+ s/)
    }
    expect(await project.hermes(['undo'])).toMatchObject({ exitCode: 1, stdout: '' })
    const waiting = project.apply({ 'a.txt': 'new\n' }, '--wait', '20')
    setTimeout(() => rmSync(join(project.root, '.hermes/lock')), 1000)
    expect(await waiting).toMatchObject({ exitCode: 0 })
    expect(await project.apply({}, '--wait', 'long')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--wait is in seconds') })
  })

  it('in a merge does nothing, and says what to do', async () => {
    const project = Project.repository()
    project.put('.git/MERGE_HEAD', `${project.git('rev-parse', 'HEAD')}\n`)
    const { stdout, stderr, exitCode } = await project.apply({ 'a.txt': 'new\n' })
    expect(exitCode).toBe(2)
    expect(stdout + stderr).toMatch(/A merge is in progress[^]*git merge --abort[^]*--no-git/)
    expect(project.text('a.txt')).toBe('a\n')
  })
})

describe('undo, redo and log', () => {
  it('say what they did, in words and in JSON', async () => {
    const project = Project.repository()
    await project.apply({ 'a.txt': 'new\n', 'made/b.txt': 'b\n' })
    expect(await project.hermes(['undo'])).toEqual({
      exitCode: 0, stderr: '', stdout: 'Undone: run <id> (commit <sha>)\n  made/b.txt\n  made\n  a.txt\n3 paths as before.\n',
    })
    const redone = await project.hermes(['redo', '--json'])
    expect(JSON.parse(redone.stdout)).toMatchObject({ success: true, restored: ['a.txt', 'made', 'made/b.txt'], left: [], gitCommit: project.git('rev-parse', 'HEAD') })
    await project.hermes(['undo', '--no-git'])
    expect(project.git('log', '--format=%s').split('\n').slice(0, 2)).toEqual([
      'AI: redo file_write a.txt, file_write made/b.txt', 'AI: undo file_write a.txt, file_write made/b.txt',
    ])
    const { stdout } = await project.hermes(['log'])
    expect(stdout).toBe([
      '<id>  <time> UTC  undo of <id>', '  undo file_write a.txt, file_write made/b.txt', '    made/b.txt', '    made', '    a.txt', '',
      '<id>  <time> UTC  redo of <id>  commit <sha>', '  redo file_write a.txt, file_write made/b.txt', '    a.txt', '    made', '    made/b.txt', '',
      '<id>  <time> UTC  undo of <id>  commit <sha>', '  undo file_write a.txt, file_write made/b.txt', '    made/b.txt', '    made', '    a.txt', '',
      '<id>  <time> UTC  2 blocks  undone  commit <sha>', '  file_write a.txt, file_write made/b.txt', '    a.txt', '    made', '    made/b.txt', '',
    ].join('\n'))
    const listed = JSON.parse((await project.hermes(['log', '--json', '--limit', '1'])).stdout) as object[]
    expect(listed).toMatchObject([{ kind: 'undo', state: 'applied', blocks: 0, files: ['made/b.txt', 'made', 'a.txt'] }])
  })

  it('say why they did nothing, with exit code 1', async () => {
    const project = new Project()
    expect(await project.hermes(['log'])).toEqual({ exitCode: 0, stderr: '', stdout: 'No runs are on record for this root.\n' })
    for (const command of ['undo', 'redo']) {
      const { exitCode, stdout, stderr } = await project.hermes([command])
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^hermes: There is (no run|nothing) to ${command}\n  `))
    }
    expect(await project.hermes(['undo', '--run', 'none'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No run of this root is called none') })
    expect(await project.hermes(['log', '--limit', '0'])).toMatchObject({ exitCode: 2 })
  })

  it('name the root above that has runs, as a shell reads it', async () => {
    const root = join(tempDir(), 'a b')
    mkdirSync(join(root, 'inner'), { recursive: true })
    const input = shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'a' })
    await cli.run(['apply', '-', '--no-git'], { cwd: root, input })
    const within = { cwd: join(root, 'inner') }
    expect(await cli.run(['log'], within)).toMatchObject({ stdout: expect.stringContaining(`hermes log --root '${root}'\n`) })
    expect(await cli.run(['undo'], within)).toMatchObject({ stderr: expect.stringContaining(`: --root '${root}'.\n`) })
  })

  it('stop at what was changed since, and merge it with --force', async () => {
    const project = new Project()
    project.put('a.txt', '1\n2\n3\n4\n5\n')
    await project.apply({ 'a.txt': 'one\n2\n3\n4\n5\n', 'b.txt': 'b\n' })
    project.put('a.txt', 'one\n2\n3\n4\nfive\n')
    project.put('b.txt', 'mine\n')
    const refused = await project.hermes(['undo', '--json'])
    expect(refused.exitCode).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({
      success: false, code: 'CHANGED_ON_DISK', data: { paths: ['a.txt', 'b.txt'] }, hint: expect.stringContaining('hermes undo --force'),
    })
    const { stdout, exitCode } = await project.hermes(['undo', '--force'])
    expect(exitCode).toBe(1)
    expect(stdout).toBe('Undone: run <id>\n  a.txt: merged\n'
      + '  kept b.txt: changed since, and without a common base to merge from: it stays as it is\n0 paths as before.\n')
    expect(project.text('a.txt')).toBe('1\n2\n3\n4\nfive\n')
    expect(project.text('b.txt')).toBe('mine\n')
  })

  it('go on where an undo could not put back everything, with exit code 1 until then', async () => {
    const project = Project.repository()
    project.put('d/x.txt', 'x\n')
    const blocks = [shamBlock('x1', 'file_write', { path: 'a.txt', content: 'new' }), shamBlock('x2', 'file_delete', { path: 'd/x.txt' })]
    expect(await project.hermes(['apply', '-', '--relative-paths'], `${blocks.join('\n')}\n`)).toMatchObject({ exitCode: 0 })
    rmSync(join(project.root, 'd'), { recursive: true })
    project.put('d', 'in the way')
    const { stdout, exitCode } = await project.hermes(['undo', '--force'])
    expect(exitCode).toBe(1)
    expect(stdout).toBe('Undone in part: run <id> (commit <sha>)\n  a.txt\n  not put back d/x.txt: ENOTDIR: not a directory, lstat \'<root>/d\'\n'
      + '1 path as before.\nMend what is named, then: hermes undo. It goes on where it stopped.\n')
    expect((await project.hermes(['log'])).stdout).toMatch(/not everything was put back[^]*partly undone/)
    expect(JSON.parse((await project.hermes(['undo', '--force', '--json'])).stdout)).toMatchObject({ success: false, left: [{ path: 'd/x.txt' }] })
    rmSync(join(project.root, 'd'))
    expect(await project.hermes(['undo'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Undone: run <id>') })
    expect([project.text('a.txt'), project.text('d/x.txt')]).toEqual(['a\n', 'x\n'])
  })

  it('ask for the --allow that the run had', async () => {
    const project = new Project()
    const other = tempDir()
    await project.apply({ [`${other}/o.txt`]: 'o' }, '--allow', other)
    const refused = await project.hermes(['undo'])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`changed files outside of the root: ${other}/o.txt\n  Nothing was changed. Give the same --allow as for the run, for example --allow ${other}.\n`)
    expect(await project.hermes(['undo', '--allow', other])).toMatchObject({ exitCode: 0 })
    expect(readdirSync(other)).toEqual([])
  })

  it('print no control characters of file names', async () => {
    const project = new Project()
    const name = 'x\u001b[2Jy\nz'
    project.put('a.txt', 'a')
    const move = `${shamBlock('abc', 'file_move', { old_path: 'a.txt', new_path: name })}\n`
    expect(await project.hermes(['apply', '-', '--relative-paths'], move)).toMatchObject({ exitCode: 0 })
    for (const args of [['log'], ['undo'], ['redo'], ['log']]) {
      const { stdout, stderr, exitCode } = await project.hermes(args)
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
      expect(stdout).not.toContain('␛')
      expect(stdout).toContain('x\\x1b[2Jy\\nz')
    }
  })
})

describe('recover', () => {
  it('finishes or puts back a run that died, which the next run names', async () => {
    for (const [flags, text, status, says] of [
      [[], 'new\n', 'M a.txt', 'Finished run <id>\n  a.txt\n1 path changed; hermes undo takes it back.\n'],
      [['--restore'], 'a\n', '', 'Restored what was before run <id>\n  a.txt\n1 path as before.\n'],
    ] as const) {
      const project = Project.repository()
      await project.dieAfterWrite()
      const next = await project.apply({ 'b.txt': 'b' })
      expect(next.exitCode).toBe(2)
      expect(next.stdout).toMatch(/An earlier run was interrupted: <id>[^]*hermes recover --restore/)
      expect((await project.hermes(['undo'])).stderr).toMatch(/An earlier run was interrupted/)
      expect((await project.hermes(['log'])).stdout).toMatch(/ run {2}interrupted: hermes recover/)
      expect(await project.hermes(['recover', ...flags])).toEqual({ exitCode: 0, stderr: '', stdout: says })
      expect(project.text('a.txt')).toBe(text)
      expect(project.git('status', '--porcelain')).toBe(status)
      expect(await project.hermes(['recover'])).toEqual({ exitCode: 0, stderr: '', stdout: 'No interrupted run: nothing to recover.\n' })
      expect(await project.apply({ 'b.txt': 'b' })).toMatchObject({ exitCode: 0 })
    }
  })

  it('prints JSON, and exit code 1 where something could not be put back', async () => {
    const project = new Project()
    project.put('a.txt', 'a\n')
    await project.dieAfterWrite()
    project.put('a.txt', 'mine\n')
    const { stdout, exitCode } = await project.hermes(['recover', '--restore', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ success: false, restored: true, left: [{ path: 'a.txt', reason: 'changed by someone else since' }] })
    expect(project.text('a.txt')).toBe('mine\n')
  })

  it('names a journal that someone else has changed, and what to do', async () => {
    const project = new Project()
    await project.apply({ 'a.txt': 'a' })
    const [run = ''] = readdirSync(join(project.root, '.hermes/journal'))
    project.put(`.hermes/journal/${run}/log.jsonl`, 'garbage\n')
    expect((await project.hermes(['log'])).stdout).toContain('damaged journal')
    const { exitCode, stderr } = await project.hermes(['recover'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/The journal was changed by someone else: <root>\/.hermes\/journal\/<id>\/log.jsonl\n[^]*Remove <root>\/.hermes\/journal\/<id> to go on/)
  })
})
