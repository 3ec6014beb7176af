import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { rewriteLog } from '../../../3-transaction/test/transaction/support/rewrite-log.js'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { Hermes, VerbExecutor, type ExecutorOptions } from '../../src/executor/index.js'

useOwnGitIdentity()

let blocks = 0

function block(action: string, params: Record<string, string>): string {
  const id = `t${blocks++}`
  const lines = Object.entries(params).map(([name, value]) => `${name} = <<'EOT_SHAM_${id}'\n${value}\nEOT_SHAM_${id}`)
  return [`#!SHAM [@three-char-SHA-256: ${id}]`, `action = "${action}"`, ...lines, `#!END_SHAM_${id}`, ''].join('\n')
}

const write = (path: string, content: string): string => block('file_write', { path, content })
const read = (path: string): string => block('file_read', { path })
const exec = (code: string): string => block('exec', { lang: 'bash', code })
const DEAD_RUN = '.hermes/journal/20250101T000000000Z-abcdef'

/** As an older hermes would have left it: not signed. */
function plantDeadRun(place: Place): void {
  mkdirSync(join(place.root, DEAD_RUN), { recursive: true })
  place.put({
    [`${DEAD_RUN}/data`]: '',
    [`${DEAD_RUN}/log.jsonl`]:
      '{"op":"begin","format":1,"runId":"20250101T000000000Z-abcdef","kind":"run","startedAt":"2025-01-01T00:00:00.000Z"}\n',
  })
}

const BROKEN = '#!SHAM [@three-char-SHA-256: bad]\naction = \n#!END_SHAM_bad\n'

class Place {
  readonly root = tempDir()

  static repository(): Place {
    const place = new Place()
    place.git('init', '--quiet', '--initial-branch=main')
    place.put({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    place.git('add', '--all')
    place.git('commit', '--quiet', '-m', 'start')
    return place
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }

  put(files: Record<string, string>): void {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.root, name), content)
  }

  /** An empty one. */
  file(name: string): string {
    this.put({ [name]: '' })
    return join(this.root, name)
  }

  text(name: string): string {
    return readFileSync(join(this.root, name), 'utf8')
  }

  names(): string[] {
    return readdirSync(this.root).sort()
  }

  session(options: ExecutorOptions = {}): Hermes {
    return new Hermes({ root: this.root, relativePaths: true, approve: () => 'once', ...options })
  }

  run(text: string, options: ExecutorOptions = {}): Promise<ExecutionResult> {
    return this.session(options).execute(text)
  }
}

describe('the commit of a run', () => {
  it('is in the result, and in the last event of a stream', async () => {
    const place = Place.repository()
    const { gitCommit, success } = await place.run(write('a.txt', 'new'))
    expect({ success, gitCommit }).toEqual({ success: true, gitCommit: place.git('rev-parse', 'HEAD') })
    const events = []
    for await (const event of place.session().stream([write('a.txt', 'newer'), write('c.txt', 'c')])) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'end', result: { gitCommit: place.git('rev-parse', 'HEAD') } })
    expect(place.git('log', '--format=%s')).toBe('AI: file_write a.txt, file_write c.txt\nAI: file_write a.txt\nstart')
  })

  it('is made also when blocks fail, and names them', async () => {
    const place = Place.repository()
    const result = await place.run(write('a.txt', 'new') + read('none') + BROKEN)
    expect(result.success).toBe(false)
    expect(result.gitCommit).toBe(place.git('rev-parse', 'HEAD'))
    const body = place.git('log', '-1', '--format=%b')
    expect(body).toMatch(/^ok {5}file_write a\.txt \[t\d+\]\nfailed file_read none \[t\d+\]: ENOENT[^\n]*\n1 block could not be read\n\nHermes-Run: \S+$/)
  })

  it('is left out with gitCommit: false, and a failure with gitCommit: true outside of git', async () => {
    const place = Place.repository()
    expect((await place.run(write('a.txt', 'new'), { gitCommit: false })).gitCommit).toBeUndefined()
    expect(place.git('status', '--porcelain')).toBe('M a.txt')
    const outside = new Place()
    const result = await outside.run(write('a.txt', 'new') + write('b.txt', 'new'), { gitCommit: true })
    expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringMatching(/There is no git work tree at/) })
    expect(result.results.map(({ code }) => code)).toEqual(['NOT_A_REPOSITORY', 'CANCELLED'])
    expect(existsSync(join(outside.root, 'a.txt'))).toBe(false)
    expect((await outside.run(write('a.txt', 'new'))).success).toBe(true)
  })

  it('that a hook refuses is a fatal error; the files stay', async () => {
    const place = Place.repository()
    place.put({ '.git/hooks/commit-msg': '#!/bin/sh\necho "say why" >&2\nexit 1\n' })
    chmodSync(join(place.root, '.git/hooks/commit-msg'), 0o755)
    const result = await place.run(write('a.txt', 'new'))
    expect(result).toMatchObject({ success: false, executedActions: 1, fatalError: expect.stringMatching(/on disk but not committed: say why/) })
    expect(result.results[0]?.success).toBe(true)
    expect(place.text('a.txt')).toBe('new')
    expect(place.git('status', '--porcelain')).toBe('M a.txt')
  })

  it('runs no hook that the run changed, and warns', async () => {
    const place = Place.repository()
    mkdirSync(join(place.root, 'hooks'))
    place.git('config', 'core.hooksPath', 'hooks')
    const plant = "printf '#!/bin/sh\\ntouch planted\\n' > hooks/pre-commit; chmod +x hooks/pre-commit"
    const result = await place.run(exec(plant) + write('a.txt', 'new'), { sandbox: 'none' })
    expect(existsSync(join(place.root, 'hooks', 'pre-commit'))).toBe(true)
    expect(result.warnings).toEqual([expect.stringMatching(/no hook was run/)])
    expect(place.names()).not.toContain('planted')
  })

  it('holds what commands changed, too', async () => {
    const place = Place.repository()
    const { gitCommit, results } = await place.run(write('a.txt', 'new') + exec('echo by command > c.txt; rm b.txt'))
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(place.git('show', '--format=', '--name-status', gitCommit ?? '')).toBe('M\ta.txt\nD\tb.txt\nA\tc.txt')
    expect(place.git('status', '--porcelain')).toBe('')
  })

  it('is made by VerbExecutor for each call', async () => {
    const place = Place.repository()
    const executor = new VerbExecutor({ root: place.root, relativePaths: true })
    const result = JSON.parse(await executor.execute({ verb: 'fs.writeFile', arguments: { path: 'a.txt', content: 'new' } })) as object
    expect(result).toMatchObject({ succeeded: true })
    expect(place.git('log', '--format=%s')).toBe('AI: fs.writeFile a.txt\nstart')
  })
})

describe('a root that is not fit for a run', () => {
  it('in a merge is left as it is: nothing runs', async () => {
    const place = Place.repository()
    place.put({ '.git/MERGE_HEAD': `${place.git('rev-parse', 'HEAD')}\n` })
    const result = await place.run(write('a.txt', 'new') + exec('touch planted'))
    expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringMatching(/^A merge is in progress.*--no-git/) })
    expect(result.results.map(({ code }) => code)).toEqual(['OPERATION_IN_PROGRESS', 'CANCELLED'])
    expect(place.text('a.txt')).toBe('a\n')
    expect((await place.run(write('a.txt', 'new'), { gitCommit: false })).success).toBe(true)
  })

  it('after a run that died says how to go on, where this user made it', async () => {
    const place = new Place()
    plantDeadRun(place)
    const unsigned = await place.run(write('a.txt', 'old'))
    expect(unsigned.warnings).toEqual([expect.stringContaining('hermes recover --trust-journal')])
    rewriteLog(join(place.root, DEAD_RUN), (lines) => lines)
    const result = await place.run(read('none') + write('a.txt', 'new'))
    expect(result.results.map(({ code }) => code)).toEqual(['ENOENT', 'INTERRUPTED_RUN'])
    expect(result.fatalError).toBe('An earlier run was interrupted: 20250101T000000000Z-abcdef, of 2025-01-01T00:00:00.000Z. '
      + 'hermes recover finishes its bookkeeping and keeps what it did; hermes recover --restore puts back what was before it.')
  })

  it('while another process works in it is LOCKED', async () => {
    const place = new Place()
    mkdirSync(join(place.root, '.hermes'))
    const { hostname } = await import('node:os')
    place.put({ '.hermes/lock': JSON.stringify({ id: 'x', pid: process.ppid, host: hostname(), runId: 'other', since: new Date().toISOString() }) })
    const result = await place.run(read('none') + write('a.txt', 'new') + write('b.txt', 'new'))
    expect(result.results.map(({ code }) => code)).toEqual(['ENOENT', 'LOCKED', 'CANCELLED'])
    expect(result.fatalError).toMatch(/^Another run works in this root: other, process \d+ on .*--wait/)
    expect(place.names()).toEqual(['.hermes'])
  })
})

describe('an atomic run', () => {
  it.each([
    ['a block that fails in the middle', () => read('none') + write('c.txt', 'c')],
    ['a block that cannot be read', () => BROKEN],
    ['a command', () => exec('touch planted')],
  ])('with %s changes nothing', async (_, more) => {
    for (const place of [Place.repository(), new Place()]) {
      place.put({ 'a.txt': 'a\n' })
      const before = place.names()
      const result = await place.run(write('a.txt', 'new') + write('made/x.txt', 'x') + more(), { atomic: true })
      expect(result).toMatchObject({ success: false, rolledBack: true })
      expect([result.gitCommit, result.fatalError]).toEqual([undefined, undefined])
      expect(place.text('a.txt')).toBe('a\n')
      expect(place.names().filter((name) => name !== '.hermes')).toEqual(before)
    }
  })

  it('refuses commands with what to do instead', async () => {
    const { results } = await new Place().run(exec('true'), { atomic: true })
    expect(results[0]).toMatchObject({ success: false, code: 'POLICY_DENIED', hint: expect.stringMatching(/--atomic=files/) })
  })

  it('of files runs commands, and puts back the files they changed as far as git knows them', async () => {
    const place = Place.repository()
    const before = place.names()
    const answer = write('a.txt', 'new') + exec('echo planted > planted.txt; echo A=1 > .env') + read('none')
    const result = await place.run(answer, { atomic: 'files' })
    expect(result).toMatchObject({ success: false, rolledBack: 'files', warnings: [expect.stringMatching(/^Commands ran/), expect.stringMatching(/git still has/)] })
    expect(place.text('a.txt')).toBe('a\n')
    expect(place.names().filter((name) => name !== '.hermes')).toEqual(before)
    const outside = new Place()
    expect(await outside.run(answer, { atomic: 'files' })).toMatchObject({ rolledBack: 'partly', warnings: [expect.stringMatching(/not known/)] })
    expect(outside.text('planted.txt')).toBe('planted\n')
  })

  it('that succeeds is committed', async () => {
    const place = Place.repository()
    const result = await place.run(write('a.txt', 'new') + write('c.txt', 'c'), { atomic: true })
    expect(result.rolledBack).toBeUndefined()
    expect(result.gitCommit).toBe(place.git('rev-parse', 'HEAD'))
  })

  it('never overwrites what someone else wrote meanwhile, and says what is left', async () => {
    const place = new Place()
    const hermes = place.session({ atomic: true, onEvent: (event) => {
      if (event.type === 'block-end' && event.result.seq === 1) place.put({ 'a.txt': 'theirs' })
    } })
    const result = await hermes.execute(write('a.txt', 'mine') + write('b.txt', 'mine') + read('none'))
    expect(result.fatalError).toMatch(/^Not everything could be put back: a\.txt \(changed by someone else since\)$/)
    expect(place.text('a.txt')).toBe('theirs')
    expect(place.names()).toEqual(['.hermes', 'a.txt'])
  })

  it('that was put back is forgotten: the next run of the session writes the same files', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'a\n' })
    const hermes = place.session({ atomic: true })
    await hermes.execute(write('a.txt', 'new') + read('none'))
    expect(await hermes.execute(write('a.txt', 'newer'))).toMatchObject({ success: true })
  })
})

describe('a file that someone else changed between two calls of a session', () => {
  it('is CHANGED_ON_DISK, and the hint shows the change', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'one\ntwo\nthree\n' })
    const hermes = place.session()
    await hermes.execute(read('a.txt'))
    place.put({ 'a.txt': 'one\n2\nthree\n' })
    const { results } = await hermes.execute(write('a.txt', 'mine') + write('b.txt', 'other'))
    expect(results[0]).toMatchObject({ success: false, code: 'CHANGED_ON_DISK', hint: expect.stringContaining('\n-two\n+2\n') })
    expect(results[1]?.success).toBe(true)
    expect(place.text('a.txt')).toBe('one\n2\nthree\n')
    expect(await hermes.execute(write('a.txt', 'mine'))).toMatchObject({ success: true })
  })

  it('is CHANGED_ON_DISK also where the session ran a command in between', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
    const hermes = place.session()
    await hermes.execute(read('a.txt') + read('b.txt'))
    place.put({ 'a.txt': 'two\n' })
    await hermes.execute(exec('true'))
    place.put({ 'b.txt': 'two\n' })
    const { results } = await hermes.execute(write('a.txt', 'mine') + write('b.txt', 'mine'))
    expect(results.map(({ code }) => code)).toEqual(['CHANGED_ON_DISK', 'CHANGED_ON_DISK'])
  })

  it('is CHANGED_ON_DISK also where the change came while the user was asked about a command', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'one\n' })
    const hermes = place.session({
      approve() {
        place.put({ 'a.txt': 'two\n' })
        return 'once'
      },
    })
    const { results } = await hermes.execute(read('a.txt') + exec('rm -rf ./none') + write('a.txt', 'mine'))
    expect(results.map(({ code }) => code)).toEqual([undefined, undefined, 'CHANGED_ON_DISK'])
    expect(place.text('a.txt')).toBe('two\n')
  })

  it('is written where a command of the session changed it, or where it is gone', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'one\n' })
    const hermes = place.session()
    await hermes.execute(read('a.txt') + exec('echo two > a.txt'))
    expect(await hermes.execute(write('a.txt', 'mine'))).toMatchObject({ success: true })
    await hermes.execute(exec('rm a.txt'))
    expect(await hermes.execute(write('a.txt', 'again'))).toMatchObject({ success: true })
  })
})

describe('nothing is left', () => {
  it('by a run that only reads', async () => {
    const place = new Place()
    place.put({ 'a.txt': 'a' })
    await place.run(read('a.txt') + block('ls', { path: '.' }) + block('file_write', { path: 'b.txt' }) + BROKEN)
    expect(place.names()).toEqual(['a.txt'])
  })

  it('by a dry run, atomic or not', async () => {
    for (const atomic of [false, true]) {
      const place = Place.repository()
      const { success } = await place.run(write('a.txt', 'new') + write('c/d.txt', 'x'), { dryRun: true, atomic })
      expect(success).toBe(true)
      expect([place.names(), place.git('status', '--porcelain'), place.text('a.txt')]).toEqual([['.git', 'a.txt', 'b.txt'], '', 'a\n'])
    }
  })

  it('of a run whose blocks all fail but an empty place for later ones', async () => {
    const place = Place.repository()
    await place.run(block('file_delete', { path: 'none' }))
    expect(place.git('status', '--porcelain')).toBe('')
    expect(readdirSync(join(place.root, '.hermes'))).toEqual(['.gitignore'])
  })
})

it('parallel calls of one session take turns', async () => {
  const place = Place.repository()
  const hermes = place.session()
  const results = await Promise.all(['1', '2', '3'].map((text) => hermes.execute(write('a.txt', text) + exec('sleep 0.05') + write('b.txt', text))))
  expect(results.map(({ success, fatalError }) => ({ success, fatalError }))).toEqual(results.map(() => ({ success: true, fatalError: undefined })))
  expect(place.text('a.txt')).toBe(place.text('b.txt'))
  expect(place.git('log', '--format=%s').split('\n')).toHaveLength(4)
  for (const commit of place.git('rev-list', 'HEAD').split('\n').slice(0, 3)) {
    expect(place.git('show', `${commit}:a.txt`)).toBe(place.git('show', `${commit}:b.txt`))
  }
})

it.each([
  ['file_delete', { path: 'large.bin' }, []],
  ['file_move', { old_path: 'large.bin', new_path: 'moved.bin' }, ['moved.bin']],
  ['file_write', { path: 'large.bin', content: 'small' }, ['large.bin']],
  ['fs.copyFile', { sourcePath: 'large.bin', destinationPath: 'copy.bin' }, ['copy.bin', 'large.bin']],
] as const)('%s of a large file is cancelled while the journal takes it up', async (action, params, left) => {
  const place = new Place()
  truncateSync(place.file('large.bin'), 256 * 1024 ** 2)
  const controller = new AbortController()
  const kept = (): boolean => {
    const journal = join(place.root, '.hermes', 'journal')
    return existsSync(journal) && readdirSync(journal).some((run) => statSync(join(journal, run, 'data')).size > 0)
  }
  const cancel = (): void => {
    if (kept()) controller.abort()
    else poll = setImmediate(cancel)
  }
  let poll = setImmediate(cancel)
  try {
    const { results, success } = await place.run(block(action, params), { signal: controller.signal })
    expect({ success, code: results[0]?.code }).toEqual({ success: false, code: 'CANCELLED' })
  } finally {
    clearImmediate(poll)
  }
  expect(statSync(join(place.root, 'large.bin')).size).toBe(256 * 1024 ** 2)
  expect((await place.run(block(action, params))).success).toBe(true)
  expect(place.names()).toEqual(['.hermes', ...left])
})
