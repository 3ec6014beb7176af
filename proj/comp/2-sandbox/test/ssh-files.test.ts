import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { needing, type Need } from '../../../test/support/needs.js'
import { startSshd, type TestSshd } from '../../../test/support/sshd.js'
import type { ApprovedPath, FileStore } from '../../0-contracts/src/index.js'
import { createPathGate } from '../../2-files/src/index.js'
import { openBySsh, type RemotePlace } from '../src/ssh-files/index.js'

const SFTP = [
  '/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server', '/usr/lib/ssh/sftp-server', '/usr/libexec/sftp-server',
].find(existsSync) ?? 'sftp-server'
let server: TestSshd
let place: RemotePlace | undefined
let files: FileStore
const at = (name: string) => join(server.directory, name)
const approved = (name: string) => at(name) as ApprovedPath

async function connect(more: { cwd?: string } = {}, to = server): Promise<RemotePlace> {
  const { port, user, key, config, directory } = to
  place = await openBySsh({ host: '127.0.0.1', user, key, port: String(port), cwd: more.cwd ?? directory, options: ['-F', config] })
  files = place.files({})
  return place
}

needing('ssh').describe('files by SFTP, on a real server,', () => {
  beforeAll(async () => {
    server = await startSshd()
    rmSync(at('sub'), { recursive: true })
  })
  afterEach(async () => {
    await place?.end()
    execFileSync('find', [server.directory, '-mindepth', '1', '-delete'])
  })
  afterAll(() => server.close())

  it('are read and written whole, byte for byte, of any size', async () => {
    await connect()
    const bytes = Buffer.alloc(20 * 1024 * 1024 + 7, 'zeile\r\n\0\xff', 'latin1')
    expect(files.write(approved('big'), bytes)).toEqual({ bytes: bytes.length, created: true, brokeHardLink: false })
    expect(readFileSync(at('big')).equals(bytes)).toBe(true)
    expect(Buffer.from(files.readBytes(approved('big'), Infinity)).equals(bytes)).toBe(true)
    const pieces: Uint8Array[] = []
    for await (const piece of files.chunks(approved('big'))) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    expect(() => files.readBytes(approved('big'), 1000)).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }))
    for (const size of [0, 1, 32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 2 * 1024 * 1024]) {
      files.write(approved('some'), bytes.subarray(0, size))
      expect(Buffer.from(files.readBytes(approved('some'), size)).equals(bytes.subarray(0, size)), String(size)).toBe(true)
    }
    expect(readdirSync(server.directory)).toEqual(['big', 'some'])
  })

  it('keep their mode, and refuse to replace what nobody may write', async () => {
    await connect()
    writeFileSync(at('tool'), 'old')
    chmodSync(at('tool'), 0o751)
    expect(files.write(approved('tool'), 'new').created).toBe(false)
    expect(statSync(at('tool')).mode & 0o777).toBe(0o751)
    expect(files.setExecutable(approved('tool'), false)).toBe(true)
    expect(statSync(at('tool')).mode & 0o777).toBe(0o640)
    files.copy(approved('tool'), approved('copy'))
    expect([readFileSync(at('copy'), 'utf8'), statSync(at('copy')).mode & 0o777]).toEqual(['new', 0o640])
    chmodSync(at('tool'), 0o444)
    expect(() => files.write(approved('tool'), 'newer')).toThrow(expect.objectContaining({ code: 'EACCES' }))
  })

  it('have names with any bytes, and are listed by the thousand', async () => {
    await connect()
    const names = ['a\nb', `it's "q" $HOME \`x\``, '-rf', 'ü', '\u{1f600}']
    for (const name of names) files.write(approved(name), name)
    expect(readdirSync(server.directory).sort()).toEqual([...names].sort())
    writeFileSync(Buffer.concat([Buffer.from(`${server.directory}/`), Buffer.of(0x61, 0xff)]), 'odd')
    const odd = files.list(approved('')).find(({ name }) => name.startsWith('a\udcff'))
    expect(Buffer.from(files.readBytes(approved(odd?.name ?? ''), 10)).toString()).toBe('odd')
    mkdirSync(at('many'))
    for (let n = 0; n < 2000; n++) writeFileSync(at(`many/${String(n).padStart(4, '0')}`), 'x'.repeat(n % 7))
    const listed = files.listStats?.(approved('many'), (name) => name.endsWith('9')) ?? []
    expect(listed.map(({ name }) => name)).toEqual(readdirSync(at('many')))
    expect(listed[9]).toMatchObject({ kind: 'file', stat: { size: 2 } })
    expect(listed[10]?.stat).toBeUndefined()
  })

  it('are made, moved and removed, with the errors of a disk', async () => {
    await connect()
    expect(files.makeDirectories(approved('a/b/c'))).toEqual([at('a'), at('a/b'), at('a/b/c')])
    files.write(approved('a/b/c/one'), '1')
    files.move(approved('a/b'), approved('moved'))
    files.write(approved('two'), '2')
    files.move(approved('two'), approved('moved/c/one'))
    expect(readFileSync(at('moved/c/one'), 'utf8')).toBe('2')
    const failing: [string, () => unknown][] = [
      ['ENOENT', () => files.readBytes(approved('none'), 1)], ['ENOENT', () => files.remove(approved('none'))],
      ['ENOENT', () => files.write(approved('none/x'), '')], ['ENOENT', () => files.list(approved('none'))],
      ['EISDIR', () => files.readBytes(approved('a'), 1)], ['EISDIR', () => files.remove(approved('a'))],
      ['EISDIR', () => files.write(approved('a'), '')], ['EISDIR', () => files.move(approved('moved/c/one'), approved('a'))],
      ['ENOTDIR', () => files.list(approved('moved/c/one'))], ['ENOTDIR', () => files.removeDirectory(approved('moved/c/one'))],
      ['ENOTDIR', () => files.write(approved('moved/c/one/x'), '')], ['ENOTDIR', () => files.makeDirectories(approved('moved/c/one/x'))],
      ['ENOTEMPTY', () => files.removeDirectory(approved('moved'))], ['EEXIST', () => files.makeDirectories(approved('moved/c/one'))],
      ['ENAMETOOLONG', () => files.write(approved('x'.repeat(300)), '')],
    ]
    for (const [code, fail] of failing) expect(fail, `${code} ${String(fail)}`).toThrow(expect.objectContaining({ code }))
    files.remove(approved('moved/c/one'))
    files.removeDirectory(approved('moved/c'))
    expect(readdirSync(server.directory).sort()).toEqual(['a', 'moved'])
    expect(files.changes.map(({ kind }) => kind)).toEqual([
      'create-directory', 'create-directory', 'create-directory', 'create', 'move', 'create', 'move', 'delete', 'delete-directory',
    ])
  })

  it('are not overwritten where someone else changed them since they were read', async () => {
    const { forgetFiles } = await connect()
    const changed = expect.objectContaining({ code: 'CHANGED_ON_DISK' }) as Error
    files.write(approved('a'), 'mine')
    files.write(approved('a'), 'mine again')
    files.move(approved('a'), approved('b'))
    writeFileSync(at('b'), 'theirs, longer')
    for (const fail of [() => files.write(approved('b'), 'x'), () => files.remove(approved('b'))]) {
      expect(Buffer.from(files.peekBytes(approved('b'), 100)).toString()).toBe('theirs, longer')
      expect(fail).toThrow(changed)
      files.readBytes(approved('b'), 100)
      writeFileSync(at('b'), readFileSync(at('b')) + '!')
      expect(fail).toThrow(changed)
      files.write(approved('b'), 'looked at: the refusal told of it')
      writeFileSync(at('b'), 'theirs, longer')
    }
    writeFileSync(at('c'), '')
    expect(() => files.move(approved('c'), approved('b'))).toThrow(changed)
    files.readBytes(approved('c'), 100)
    writeFileSync(at('c'), 'of a command')
    forgetFiles()
    files.write(approved('c'), 'mine')
    expect(readFileSync(at('c'), 'utf8')).toBe('mine')
  })

  it('are known from a listing until the next turn, or a change', async () => {
    await connect()
    files.write(approved('a'), '1')
    files.write(approved('b'), '22')
    files.list(approved(''))
    files.write(approved('b'), '333')
    expect(files.lstat(approved('b'))?.size).toBe(3)
    files.list(approved(''))
    for (const pid of serversOf(server.pid)) process.kill(pid, 'SIGKILL')
    expect(files.lstat(approved('a'))).toMatchObject({ kind: 'file', size: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(() => files.lstat(approved('a'))).toThrow(expect.objectContaining({ code: 'UNREACHABLE' }))
  })

  it('are only those below the root: links there are followed by the host\'s own names', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-outside-')))
    writeFileSync(join(outside, 'secret'), 's')
    symlinkSync(outside, at('out'))
    symlinkSync('sub', at('in'))
    mkdirSync(at('sub'))
    const { probe, root } = await connect()
    const gate = createPathGate({ root, probe, isElsewhere: true })
    for (const path of ['out/secret', `${outside}/secret`, '../x', 'in/../../x', '/etc/passwd']) {
      expect(() => gate.approve(path, 'read'), path).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    }
    expect(gate.approve('in/new', 'write')).toBe(at('sub/new'))
    expect(gate.approve('new/deep/a', 'write')).toBe(at('new/deep/a'))
    symlinkSync(outside, at('new'))
    expect(() => gate.approve('new/deep/a', 'write')).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    writeFileSync(at('sub/file'), '')
    expect(gate.approve('in/./../in/file', 'read')).toBe(at('sub/file'))
    expect(() => gate.approve('in/file/below', 'read')).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
    expect(gate.approve('out', 'remove')).toBe(at('out'))
    expect(() => gate.approve('.git/config', 'write')).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    rmSync(outside, { recursive: true })
  })

  it('are the old or the new ones where the connection ends during a write', async () => {
    let isCut = false
    // A machine may be too fast for a small one.
    for (let size = 1 << 25; !isCut && size <= 1 << 29; size *= 2) {
      await connect()
      writeFileSync(at('kept'), 'old')
      const [pids, temp] = [serversOf(server.pid).join(' '), at('.hermes-tmp-')]
      const killer = spawn('sh', ['-c', `while ! cat ${temp}* 2>/dev/null | grep -qa .; do :; done; kill -9 ${pids}`])
      try {
        files.write(approved('kept'), Buffer.alloc(size, 'new'))
        expect(statSync(at('kept')).size).toBe(size)
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNREACHABLE', hint: expect.stringContaining('ssh ') as string })
        expect(readFileSync(at('kept'), 'utf8')).toBe('old')
        isCut = true
      }
      killer.kill('SIGKILL')
    }
    expect(isCut).toBe(true)
    expect(() => files.list(approved(''))).toThrow(expect.objectContaining({ code: 'UNREACHABLE' }))
    expect(place?.isBroken).toBe(true)
    expect((await connect()).isBroken).toBe(false)
    expect(files.list(approved(''))).toEqual([{ name: 'kept', kind: 'file' }])
  })

  it('need a directory there, and a host that can be reached', async () => {
    writeFileSync(at('file'), '')
    for (const cwd of [at('file'), at('none')]) {
      await expect(connect({ cwd })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
    const { user, key, config } = server
    const settings = { host: '127.0.0.1', user, key, port: '1', cwd: undefined, options: ['-F', config] }
    await expect(openBySsh(settings)).rejects.toMatchObject({
      code: 'UNREACHABLE', message: expect.stringContaining('Connection refused') as string,
    })
  })
})

const OTHERS: readonly [name: string, needs: readonly Need[], subsystem: string][] = [
  ['a shell that greets', [], `sh -c 'echo Welcome; echo "$(seq 3000)"; exec ${SFTP}'`],
  ['fish', ['fish'], `fish -c ${SFTP}`],
  ['zsh', ['zsh'], `zsh -c ${SFTP}`],
]

for (const [name, needs, subsystem] of OTHERS) {
  needing('ssh', ...needs).it(`files by SFTP behind ${name}`, async () => {
    const own = await startSshd([`Subsystem sftp ${subsystem}`, 'Banner /etc/passwd'])
    try {
      await connect({}, own)
      files.write(join(own.directory, "it's\n") as ApprovedPath, 'x')
      expect(readFileSync(join(own.directory, "it's\n"), 'utf8')).toBe('x')
    } finally {
      await place?.end()
      own.close()
    }
  })
}

needing('ssh').it('files by SFTP that their user may not touch are told as the disk tells it', async () => {
  const isRoot = process.getuid?.() === 0
  const own = await startSshd([`Subsystem sftp ${isRoot ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : ''}${SFTP}`])
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-closed-')))
  try {
    writeFileSync(join(cwd, 'secret'), 's')
    mkdirSync(join(cwd, 'below'))
    for (const [path, mode] of [['secret', 0], ['below', 0], ['.', 0o555]] as const) chmodSync(join(cwd, path), mode)
    await connect({ cwd }, own)
    const path = (below: string) => join(cwd, below) as ApprovedPath
    for (const fail of [
      () => files.readBytes(path('secret'), 10), () => files.list(path('below')), () => files.write(path('new'), ''),
      () => files.remove(path('secret')), () => files.makeDirectories(path('made')), () => files.lstat(path('below/x')),
      () => files.move(path('secret'), path('moved')),
    ]) expect(fail, String(fail)).toThrow(expect.objectContaining({ code: 'EACCES' }))
    expect(readdirSync(cwd).sort()).toEqual(['below', 'secret'])
  } finally {
    await place?.end()
    own.close()
    for (const below of ['.', 'below']) chmodSync(join(cwd, below), 0o755)
    rmSync(cwd, { recursive: true })
  }
})

function serversOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      return new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8'))
    } catch {
      return false
    }
  }).map(Number)
  return children.flatMap((child) => [child, ...serversOf(child)])
}
