import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needing } from '../../../test/support/needs.js'
import { startSshd, type TestSshd } from '../../../test/support/sshd.js'
import type { ConfinedProgram } from '../../0-contracts/src/index.js'
import { SshBackend } from '../src/ssh-backend.js'
import { DEFAULT_RESOURCES } from '../src/index.js'

let server: TestSshd

/** `directory` is what commands see as their host. */
function connect(): { backend: SshBackend; directory: string } {
  const { port, user, key, config, directory } = server
  const place = { root: '/here', allow: [], readOnly: [], resources: DEFAULT_RESOURCES, env: () => ({ PATH: process.env['PATH'] ?? '' }) }
  const settings = { host: '127.0.0.1', user, key, port: String(port), cwd: directory, options: ['-F', config] }
  return { backend: new SshBackend(place, settings), directory }
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

needing('ssh').describe('commands by ssh, on a real server,', () => {
  beforeAll(async () => {
    server = await startSshd()
  })
  afterAll(() => server.close())

  it('run in the directory there, with arguments, environment and exit code as they are', async () => {
    const { backend, directory } = connect()
    expect(await backend.problem()).toBeUndefined()
    const code = `printf '%s|' "$PWD" "$GREETING" "$1" "$2"; echo oops >&2; cat; exit 7`
    const args = ['-c', code, 'sh', `it's "q" $HOME`, 'two\nlines']
    const call = { verb: 'exec', file: 'bash', args, cwd: '/here/sub', env: { GREETING: 'é  !' } }
    expect(await outcome(backend.confine(call))).toEqual({
      stdout: `${directory}/sub|é  !|it's "q" $HOME|two\nlines|`, stderr: 'oops\n', code: 7,
    })
  })

  it('end with the connection, with all that they started in their group', async () => {
    const { backend, directory } = connect()
    const code = 'trap "" TERM; (sleep 2; touch late) & touch begun; sleep 2; touch late'
    const child = start(backend.confine({ verb: 'exec', file: 'bash', args: ['-c', code], cwd: '/here' }))
    while (!existsSync(join(directory, 'begun'))) await sleep(20)
    child.kill('SIGKILL')
    await sleep(3000)
    expect(existsSync(join(directory, 'late'))).toBe(false)
  })

  it('that are unknown there fail with 127', async () => {
    const { backend } = connect()
    expect(await outcome(backend.confine({ verb: 'exec', file: 'no-such-program', args: [], cwd: '/here' })))
      .toMatchObject({ code: 127, stderr: expect.stringContaining('no-such-program') as string })
  })

  it('ask for no password and no unknown host', async () => {
    const { backend } = connect()
    writeFileSync(server.known, '')
    const { code, stderr } = await outcome(backend.confine({ verb: 'exec', file: 'true', args: [], cwd: '/here' }))
    expect(code).toBe(255)
    expect(stderr).toMatch(/Host key verification failed/)
  })
})
