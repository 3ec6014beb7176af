import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn, writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { StartingPlace } from '../../src/replay/starting-place.js'
import { call, canonical, events, record, replayed } from './record-and-replay.js'

const CRLF = 'one\r\ntwo\r\n'
const SECRET = `key = "ghp_${'a1B2'.repeat(9)}"\n`
const READS_ALL = ['a.txt', 'd/crlf.txt', 'd/bytes.bin', 'link', 'gone'].map((path) => call('read_file', { path })).join('')

function plant(): { root: string; file: string } {
  const directory = canonical(tempDir())
  const root = join(directory, 'p')
  writeTree(root, { 'a.txt': 'old\n', 'd/crlf.txt': CRLF, '.env': 'A=b\n' })
  writeFileSync(join(root, 'd/bytes.bin'), Buffer.from([0, 255, 1, 254]))
  symlinkSync('d/crlf.txt', join(root, 'link'))
  return { root, file: join(directory, 'r.jsonl') }
}

function startOf(file: string): unknown[] {
  return events(file).filter(({ type }) => type === 'start')
    .map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'type' && key !== 'run')))
}

describe('a recording keeps what files were before its run', () => {
  it('and a replay starts from them: as bytes, by links, where one is not there, and where a verb fails', async () => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    expect(startOf(file).slice(0, 5)).toMatchObject([
      { path: 'a.txt', kind: 'file', size: 4 }, { path: 'd/crlf.txt', kind: 'file' },
      { path: 'd/bytes.bin', kind: 'file', size: 4 }, { path: 'link', kind: 'link', target: 'd/crlf.txt' },
      { path: 'gone', kind: 'absent' },
    ])
    // Of the names that were looked through for a path alike no content is kept.
    expect(startOf(file)).toContainEqual({ path: '.env', kind: 'file', mode: 0o644, size: 4 })
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 5, unrecorded: 0 } })
  })

  it('only as they were first, whatever the run did to them since', async () => {
    const { root, file } = plant()
    await record(root, file, [
      call('file_replace_text', { path: 'a.txt', old_text: 'old', new_text: 'new' }), call('read_file', { path: 'a.txt' }),
      call('file_move', { old_path: 'a.txt', new_path: 'n/b.txt' }), call('file_delete', { path: 'd/crlf.txt' }),
      call('file_write', { path: 'n/c.txt', content: 'c' }), call('list_directory', { path: 'n' }), READS_ALL,
    ].join(''))
    expect(startOf(file)).toEqual(expect.arrayContaining([
      expect.objectContaining({ path: 'a.txt', kind: 'file', size: 4 }), { path: 'n', kind: 'absent' },
    ]))
    expect(startOf(file)).not.toContainEqual(expect.objectContaining({ path: 'n/c.txt' }))
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 11 } })
  })

  it('a content once, and what the user changed between two runs', async () => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    writeFileSync(join(root, 'copy.txt'), CRLF)
    writeFileSync(join(root, 'a.txt'), 'mine\n')
    unlinkSync(join(root, 'd/bytes.bin'))
    await record(root, file, `${READS_ALL}${call('read_file', { path: 'copy.txt' })}`)
    const hashes = events(file).filter(({ type }) => type === 'content').map(({ sha256 }) => sha256)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashes).toHaveLength(4)
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 11 } })
  })

  it('and what the user took back between two runs, in a session of its own each', async () => {
    const { root, file } = plant()
    const edit = (from: string, to: string): string => call('file_replace_text', { path: '/w/a.txt', old_text: from, new_text: to })
    const makes = `${call('file_write', { path: '/w/n/deep/c.txt', content: 'c' })}${call('file_move', { old_path: '/w/d/crlf.txt', new_path: '/w/moved' })}`
    await record(root, file, edit('old', 'one') + makes)
    // As `git reset --hard` and `git clean` leave it, and an edit; and what is listed is as it was.
    rmSync(join(root, 'n'), { recursive: true })
    rmSync(join(root, 'moved'))
    writeTree(root, { 'd/crlf.txt': CRLF, 'a.txt': 'three\n' })
    await record(root, file, edit('three', 'four') + call('ls', { path: '/w' }) + makes)
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 7 } })
  })

  it('and what has become a file, a directory or a link in between', async () => {
    const { root, file } = plant()
    await record(root, file, call('file_write', { path: '/w/x/y', content: 'y' }) + READS_ALL)
    rmSync(join(root, 'x'), { recursive: true })
    rmSync(join(root, 'link'))
    writeTree(root, { x: 'file\n', 'link/in': 'it\n' })
    symlinkSync('a.txt', join(root, 'new'))
    await record(root, file, ['x', 'link/in', 'new'].map((path) => call('read_file', { path })).join(''))
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 9 } })
  })

  it('but no secrets, no large files, and nothing outside of the root; a difference there is told, and no drift', async () => {
    const { root, file } = plant()
    writeTree(root, { 's.txt': SECRET, 'large.txt': 'x'.repeat((1 << 20) + 1) })
    await record(root, file, ['s.txt', '.env', 'large.txt', '/etc/hostname', 'a.txt'].map((path) => call('read_file', { path })).join(''))
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('ghp_a1B2')
    expect(text).not.toContain('A=b')
    expect(startOf(file)).toMatchObject([
      { path: 's.txt', left: 'holds a secret' }, { path: 'large.txt', left: 'is too large' }, { path: 'a.txt' },
    ])
    expect(await replayed(file)).toMatchObject({
      drifted: false, counts: { same: 3, unrecorded: 2 },
      note: '2 results cannot be compared, since the recording lacks what they started from: s.txt holds a secret; large.txt is too large',
      blocks: [{ outcome: 'unrecorded', reason: 's.txt holds a secret' }, { outcome: 'unrecorded', reason: 'large.txt is too large' }],
    })
  })

  it.each<[name: string, bytesOf: (text: string) => Buffer]>([
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, most significant byte first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['bytes', (text) => Buffer.concat([Buffer.from([0, 255]), Buffer.from(text)])],
  ])('no secrets in a file of %s', async (_, bytesOf) => {
    const { root, file } = plant()
    writeFileSync(join(root, 's.bin'), bytesOf(SECRET))
    await record(root, file, call('file_move', { old_path: '/w/s.bin', new_path: '/w/t.bin' }))
    expect(startOf(file)).toContainEqual(expect.objectContaining({ path: 's.bin', left: 'holds a secret' }))
  })

  it.runIf(process.platform === 'linux')('with names that are not UTF-8, byte for byte', async () => {
    const { root, file } = plant()
    const odd = (path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])
    mkdirSync(odd('m/\xe9'), { recursive: true })
    writeFileSync(odd('m/\xe9/n\xff'), 'odd\n')
    symlinkSync(Buffer.from('n\xff', 'latin1'), odd('m/\xe9/l\xfe'))
    await record(root, file, call('ls', { path: '/w/m' }) + call('file_move', { old_path: '/w/m', new_path: '/w/k' })
      + call('glob', { pattern: '**/*', base_path: '/w/k' }))
    expect(startOf(file)).toEqual(expect.arrayContaining([
      expect.objectContaining({ path: 'm/\udce9', kind: 'directory' }),
      expect.objectContaining({ path: 'm/\udce9/n\udcff', kind: 'file', size: 4, sha256: expect.any(String) }),
      expect.objectContaining({ path: 'm/\udce9/l\udcfe', kind: 'link', target: 'n\udcff' }),
    ]))
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 3, unrecorded: 0 } })
  })

  it('no recordings, which would hold each other', async () => {
    const { root } = plant()
    const file = join(root, 'r.jsonl')
    await record(root, file, READS_ALL)
    await record(root, file, call('read_file', { path: 'r.jsonl' }))
    expect(startOf(file)).toContainEqual({ path: 'r.jsonl', kind: 'file', mode: 0o644, size: expect.any(Number) })
  })

  it('a recording without them is replayed as before', async () => {
    const { root, file } = plant()
    await record(root, file, call('read_file', { path: 'a.txt' }))
    writeFileSync(file, events(file).filter(({ type }) => type !== 'start' && type !== 'content').map((event) => `${JSON.stringify(event)}\n`).join(''))
    expect(await replayed(file)).toMatchObject({ drifted: true, counts: { 'newly failing': 1 } })
  })
})

describe('a recording whose secrets are masked', () => {
  const write = (secret: string): string => call('file_write', { path: '/w/s', content: `é=${secret};` })
  const reads = call('read_file', { path: 's' }) + call('list_directory', { path: '.' })

  it.each(['d'.repeat(37) + '-1_2', 'pass-12w'])('keeps the size of %s, and does not drift', async (secret) => {
    const { root, file } = plant()
    await record(root, file, write(secret) + reads, { secrets: { DEPLOY_TOKEN: secret } })
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    expect(await replayed(file)).toMatchObject({ drifted: false, counts: { same: 3 } })
  })
})

describe('a recording that someone else made', () => {
  const hash = '0'.repeat(64)

  it.each<[what: string, event: object, message: string]>([
    ['leads out of the root', { path: '../x', kind: 'file' }, 'would not be in the root: "../x"'],
    ['is absolute', { path: '/tmp/x', kind: 'file' }, 'would not be in the root: "/tmp/x"'],
    ['is of git', { path: 'd/.GIT/hooks/post-checkout', kind: 'file' }, 'would not be in the root'],
    ['is a policy', { path: 'hermes.yaml', kind: 'file' }, 'would not be in the root: "hermes.yaml"'],
    ['links out of the root', { path: 'x', kind: 'link', target: '../y' }, 'would lead out of the root: "x"'],
    ['links to an absolute path', { path: 'x', kind: 'link', target: '/etc' }, 'would lead out of the root: "x"'],
    ['links by way of a link', { path: 'x', kind: 'link', target: 'link/../../y' }, 'would lead out of the root: "x"'],
    ['has no content', { path: 'x', kind: 'file', sha256: hash }, 'lacks the content of the starting file "x"'],
    ['has another kind', { path: 'x', kind: 'device' }, 'has no known form'],
    ['has a mode that is none', { path: 'x', kind: 'file', mode: 0o4755 }, 'has no known form'],
  ])('is refused where a path %s', async (_, event, message) => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    const [run, ...rest] = events(file)
    writeFileSync(file, [run, { type: 'start', run: run?.['id'], ...event }, ...rest].map((each) => `${JSON.stringify(each)}\n`).join(''))
    await expect(replayed(file)).rejects.toThrow(message)
  })

  it('is refused where a content is not what its hash says', async () => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"text":"old\\n"', '"text":"evil\\n"'))
    await expect(replayed(file)).rejects.toThrow('is not what its hash says')
  })

  it('is refused where one content would fill the disk under many paths', async () => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    const text = 'x'.repeat(1 << 20)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const [run, ...rest] = events(file)
    const start = Array.from({ length: 1025 }, (_, index) => (
      { type: 'start', run: run?.['id'], path: `n${index}`, kind: 'file', sha256 }
    ))
    const all = [run, { type: 'content', sha256, text }, ...start, ...rest]
    writeFileSync(file, all.map((event) => `${JSON.stringify(event)}\n`).join(''))
    expect(await replayed(file)).toMatchObject({
      error: { code: 'INVALID_TRANSCRIPT', message: 'The starting files of the recording take more than 1 GiB' },
    })
  })

  it('makes files in place of contents that are not kept up to a limit for all', () => {
    const root = canonical(tempDir())
    const place = new StartingPlace(root, {})
    place.place(Array.from({ length: 65 }, (_, n) => (
      { path: `${n}`, kind: 'file', size: 16 << 20, left: 'is too large' }
    )))
    const sizes = namesIn(root).map((name) => statSync(join(root, name)).size)
    expect(sizes.filter((size) => size === 16 << 20)).toHaveLength(64)
    expect(sizes.filter((size) => size > 0)).toHaveLength(64)
  })

  it('writes nothing through a link of its own', async () => {
    const { root, file } = plant()
    await record(root, file, READS_ALL)
    const [run, ...rest] = events(file)
    const start = [{ path: 'l', kind: 'link', target: 'd' }, { path: 'l/x', kind: 'file' }]
      .map((event) => ({ type: 'start', run: run?.['id'], ...event }))
    writeFileSync(file, [run, ...start, ...rest].map((each) => `${JSON.stringify(each)}\n`).join(''))
    const before = namesIn(root)
    expect(await replayed(file)).toMatchObject({ drifted: true, error: { code: 'INVALID_TRANSCRIPT' } })
    expect(namesIn(root)).toEqual(before)
    expect(existsSync(join(root, 'd/x'))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('a command that comes out otherwise', () => {
  const consent = { sandbox: 'none' } as const

  /** Records a command in a root that has a policy and an ignored `.env`, and replays it with other results on record. */
  async function replayedWith(command: string, change: (recording: string) => string) {
    const { root, file } = plant()
    writeTree(root, { 'hermes.yaml': '# no rule\n', '.gitignore': '.env\ndeps/\n', 'deps/part.txt': 'of ours\n' })
    await record(root, file, call('exec', { lang: 'bash', code: command }), consent)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    return replayed(file, consent)
  }

  it('is a drift, whatever is closed to models or ignored beside it; what it may have read is told', async () => {
    expect(await replayedWith('echo hi', (text) => text.replaceAll('"stdout":"hi\\n"', '"stdout":"BYE\\n"'))).toMatchObject({
      drifted: true, counts: { changed: 1, unrecorded: 0 },
      note: 'if the command that differs reads what the recording lacks, give it by --fixture DIR: .env is ignored, deps is ignored',
    })
  })

  it.skipIf(process.platform === 'win32')('finds the root of each run, also where the user removed what the run before left', async () => {
    const { root, file } = plant()
    await record(root, file, call('file_write', { path: '/w/d/left.txt', content: 'x' }), consent)
    rmSync(join(root, 'd/left.txt'))
    await record(root, file, call('exec', { lang: 'bash', code: 'ls d' }), consent)
    expect(await replayed(file, consent)).toMatchObject({ drifted: false, counts: { same: 2 } })
  })

  it('is a drift where it fails now', async () => {
    expect(await replayedWith('exit 0', (text) => text.replaceAll('exit 0', 'exit 7'))).toMatchObject({
      drifted: true, counts: { 'newly failing': 1, unrecorded: 0 },
    })
  })

  it.each<[why: string, command: string, reason: string]>([
    ['the command names', 'cat .env', '.env is ignored'],
    ['the command names, closed to models', 'wc -c < hermes.yaml', 'hermes.yaml is closed to models'],
    ['a line that differs names', 'for one in d*/*.txt; do echo $one; done', 'deps is ignored'],
    ['held what is missing now', 'cd d?ps && cat p*', 'deps is ignored'],
  ])('is none where it is about a path left out which %s', async (_, command, reason) => {
    expect(await replayedWith(command, (text) => text)).toMatchObject({
      drifted: false, counts: { unrecorded: 1 }, blocks: [{ outcome: 'unrecorded', reason }],
    })
  })
})
