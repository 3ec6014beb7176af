import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Installations of OpenSSH differ in where it is; it must be started by its path. */
export const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(existsSync)

/** A real server on the loopback, which knows one key. */
export interface TestSshd {
  readonly port: number
  readonly user: string
  /** Path of the private key. */
  readonly key: string
  /** Configuration for the client: it knows the server's key. */
  readonly config: string
  /** Known hosts of that configuration. */
  readonly known: string
  /** Where commands run. */
  readonly directory: string
  /** Holds a program `ssh`, which is the system's with `config`: for what looks for it in PATH. */
  readonly bin: string
  readonly pid: number
  close(): void
}

/** @param more lines of its settings */
export async function startSshd(more: readonly string[] = ['Subsystem sftp internal-sftp']): Promise<TestSshd> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-sshd-')))
  const file = (name: string) => join(base, name)
  const port = await freePort()
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  writeFileSync(file('authorized'), readFileSync(file('user.pub')))
  writeFileSync(file('known'), `[127.0.0.1]:${port} ${readFileSync(file('host.pub'), 'utf8')}`)
  writeFileSync(file('sshd_config'), [
    `Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${file('host')}`, `AuthorizedKeysFile ${file('authorized')}`,
    'StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin prohibit-password', `PidFile ${file('pid')}`,
    'PrintMotd no', 'PrintLastLog no', 'MaxStartups 100', ...more,
  ].join('\n'))
  writeFileSync(file('ssh_config'), `Host *\n  UserKnownHostsFile ${file('known')}\n  GlobalKnownHostsFile /dev/null\n`)
  const client = execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim()
  for (const name of ['bin', 'there', 'there/sub']) mkdirSync(file(name))
  writeFileSync(file('bin/ssh'), `#!/bin/sh\nexec ${client} -F ${file('ssh_config')} "$@"\n`)
  chmodSync(file('bin/ssh'), 0o755)
  // sshd of root insists on it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const server = spawn(SSHD ?? '', ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  await listening(server)
  return {
    port, user: userInfo().username, key: file('user'), config: file('ssh_config'), known: file('known'), directory: file('there'),
    bin: file('bin'), pid: server.pid ?? 0,
    close() {
      server.kill()
      rmSync(base, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** @throws with what the server says, where it ends before that */
function listening({ stderr }: ChildProcess): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk: Buffer) => {
      said += String(chunk)
      if (said.includes('listening')) resolve()
    })
    stderr?.on('close', () => reject(new Error(`sshd: ${said}`)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
