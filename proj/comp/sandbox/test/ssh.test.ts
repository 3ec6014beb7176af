import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import type { ConfinedProgram } from '../../contracts/src/index.js'
import { SshBackend } from '../src/ssh-backend.js'
import { DEFAULT_RESOURCES } from '../src/index.js'

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(existsSync)

/** A real server on the loopback, which knows one key; `directory` is what commands see as their host. */
async function startServer(): Promise<{ backend: SshBackend; directory: string }> {
  const directory = tempDir()
  const port = await freePort()
  const file = (name: string) => join(directory, name)
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  writeFileSync(file('authorized'), readFileSync(file('user.pub')))
  writeFileSync(file('known'), `[127.0.0.1]:${port} ${readFileSync(file('host.pub'), 'utf8')}`)
  writeFileSync(file('sshd_config'), [
    `Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${file('host')}`, `AuthorizedKeysFile ${file('authorized')}`,
    'StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin prohibit-password', `PidFile ${file('pid')}`,
  ].join('\n'))
  writeFileSync(file('ssh_config'), `Host *\n  UserKnownHostsFile ${file('known')}\n  GlobalKnownHostsFile /dev/null\n`)
  // sshd of root insists on it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const server = spawn(SSHD ?? '', ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void server.kill())
  await new Promise<void>(resolve => server.stderr.on('data', (chunk: Buffer) => {
    if (String(chunk).includes('listening')) resolve()
  }))
  const there = file('there')
  mkdirSync(join(there, 'sub'), { recursive: true })
  const place = { root: '/here', allow: [], readOnly: [], resources: DEFAULT_RESOURCES, env: () => ({ PATH: process.env['PATH'] ?? '' }) }
  const settings = {
    host: '127.0.0.1', user: userInfo().username, key: file('user'), port: String(port), cwd: there, options: ['-F', file('ssh_config')],
  }
  return { backend: new SshBackend(place, settings), directory: there }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function start({ file, args, env }: ConfinedProgram) {
  return spawn(file, args, { env, stdio: 'pipe' })
}

async function outcome(program: ConfinedProgram): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const child = start(program)
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, code }
}

// CI installs openssh-server; elsewhere there may be none.
describe.skipIf(SSHD === undefined)('commands by ssh, on a real server,', () => {
  it('run in the directory there, with arguments, environment and exit code as they are', async () => {
    const { backend, directory } = await startServer()
    expect(await backend.problem()).toBeUndefined()
    const code = `printf '%s|' "$PWD" "$GREETING" "$1" "$2"; echo oops >&2; cat; exit 7`
    const args = ['-c', code, 'sh', `it's "q" $HOME`, 'two\nlines']
    const call = { verb: 'exec', file: 'bash', args, cwd: '/here/sub', env: { GREETING: 'é  !' } }
    expect(await outcome(backend.confine(call))).toEqual({
      stdout: `${directory}/sub|é  !|it's "q" $HOME|two\nlines|`, stderr: 'oops\n', code: 7,
    })
  })

  it('end with the connection, with all that they started in their group', async () => {
    const { backend, directory } = await startServer()
    const code = 'trap "" TERM; (sleep 2; touch late) & touch begun; sleep 2; touch late'
    const child = start(backend.confine({ verb: 'exec', file: 'bash', args: ['-c', code], cwd: '/here' }))
    while (!existsSync(join(directory, 'begun'))) await sleep(20)
    child.kill('SIGKILL')
    await sleep(3000)
    expect(existsSync(join(directory, 'late'))).toBe(false)
  })

  it('that are unknown there fail with 127', async () => {
    const { backend } = await startServer()
    expect(await outcome(backend.confine({ verb: 'exec', file: 'no-such-program', args: [], cwd: '/here' })))
      .toMatchObject({ code: 127, stderr: expect.stringContaining('no-such-program') as string })
  })

  it('ask for no password and no unknown host', async () => {
    const { backend, directory } = await startServer()
    writeFileSync(join(directory, '..', 'known'), '')
    const { code, stderr } = await outcome(backend.confine({ verb: 'exec', file: 'true', args: [], cwd: '/here' }))
    expect(code).toBe(255)
    expect(stderr).toMatch(/Host key verification failed/)
  })
})
