import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startSshd, type TestSshd } from './sshd.js'

/** A real server on the loopback, and settings by which sessions of this process work there. */
export interface SshPlace {
  readonly server: TestSshd
  /** Of this machine: `root` with files, `home` with the settings, `other`. */
  readonly local: string
  /** A path on the host, where all is removed before each test. */
  there(name?: string): string
  /** All that the local root holds, with times. */
  localState(): string
}

/** From the first test of the block to its last. */
export function useSshPlace(): SshPlace {
  const saved = { ...process.env }
  let server: TestSshd
  let local: string
  const place: SshPlace = {
    get server() {
      return server
    },
    get local() {
      return local
    },
    there: (name = '') => join(server.directory, name),
    localState: () => execFileSync('find', [join(local, 'root'), '-printf', '%p %T@ %s\n'], { encoding: 'utf8' }),
  }
  beforeAll(async () => {
    server = await startSshd()
    local = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-local-')))
    for (const name of ['root', 'home', 'other']) mkdirSync(join(local, name))
    execFileSync('git', ['init', '-q', join(local, 'root')])
    writeFileSync(join(local, 'home', 'config.yaml'), 'terminal: {backend: ssh}\n')
    for (const name of ['a.txt', 'AGENTS.md']) writeFileSync(join(local, 'root', name), 'of this machine\n')
    Object.assign(process.env, {
      HERMES_HOME: join(local, 'home'), PATH: `${server.bin}${delimiter}${process.env['PATH']}`, TERMINAL_SSH_HOST: '127.0.0.1',
      TERMINAL_SSH_PORT: String(server.port), TERMINAL_SSH_KEY: server.key, TERMINAL_SSH_USER: server.user,
      TERMINAL_SSH_CWD: server.directory,
    })
  })
  beforeEach(() => {
    execFileSync('find', [server.directory, '-mindepth', '1', '-delete'])
  })
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name]
    Object.assign(process.env, saved)
    server.close()
    rmSync(local, { recursive: true, force: true })
  })
  return place
}
