import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ActionResult } from '../../../0-contracts/src/index.js'
import type { Hermes } from '../../../5-executor/src/executor/index.js'
import { needing } from '../../../../test/support/needs.js'
import { markedProcesses } from '../../../../test/support/marked-processes.js'
import { BACKENDS, on, usePlaces } from './support/backends.js'

const CLI = fileURLToPath(new URL('../../../../../dist/cli.js', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../../../../node_modules/@lydell', import.meta.url))
/** Holds the terminal's signals off, leaves the session, and says when it has begun. */
const STUBBORN = "sleep 300 & setsid sleep 301 & (trap '' HUP TERM; sleep 302) & nohup sleep 303 >/dev/null 2>&1 & touch started"

async function run(hermes: Hermes, command: string, more: object = {}): Promise<ActionResult | undefined> {
  const { results } = await hermes.call([{ id: 'a', name: 'terminal_run', arguments: { command, ...more } }])
  return results[0]
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !condition(); tries++) await sleep(10)
}

/** A text in the environment of all that a command starts. */
const newMark = () => `MARK_${Math.random()}`

function nothingLeft(mark: string): Promise<void> {
  return until(() => markedProcesses(mark).length === 0).then(() => expect(markedProcesses(mark)).toEqual([]))
}

function answerWith(path: string, command: string): string {
  writeFileSync(path, `#!SHAM [@three-char-SHA-256: abc]\naction = "terminal_run"\ncommand = "${command}"\n#!END_SHAM_abc\n`)
  return path
}

needing('node-pty').describe('shells end', () => {
  const places = usePlaces()

  for (const backend of BACKENDS) {
    on(backend).describe(`on ${backend}`, () => {
      it('with their session, with all that they started', async () => {
        const { hermes } = await places.open(backend)
        const mark = newMark()
        expect(await run(hermes, `export M=${mark}; ${STUBBORN}`)).toMatchObject({ success: true })
        // What was put into the background may not have started its program yet.
        await until(() => markedProcesses(mark).length > 3)
        expect(markedProcesses(mark).length).toBeGreaterThan(3)
        await hermes[Symbol.asyncDispose]()
        await nothingLeft(mark)
      })

      it('when hermes is killed', async () => {
        const { hermes, root, there, env } = await places.open(backend)
        await hermes[Symbol.asyncDispose]()
        const mark = newMark()
        const answer = answerWith(join(places.base, `${backend}.md`), `export M=${mark}; ${STUBBORN}; sleep 304`)
        const options = ['--root', root, '--sandbox', backend === 'none' ? 'none' : 'auto', '--yes', '--no-git']
        const child = spawn(process.execPath, [CLI, 'apply', answer, ...options], { stdio: 'ignore', env })
        await until(() => existsSync(join(there, 'started')))
        expect(markedProcesses(mark).length).toBeGreaterThan(0)
        child.kill('SIGKILL')
        await once(child, 'exit')
        await nothingLeft(mark)
        expect(spawnSync(process.execPath, [CLI, 'recover', '--root', root], { env }).status).toBe(0)
        expect(readdirSync(there).filter(name => !['.hermes', 'nohup.out'].includes(name))).toEqual(['started'])
      })
    }, { concurrent: true })
  }

  on('ssh').describe('by ssh', () => {
    it('with the connection, and say so', async () => {
      const { hermes } = await places.open('ssh')
      const mark = newMark()
      await run(hermes, `export M=${mark}; ${STUBBORN}`)
      const running = run(hermes, 'echo begun; sleep 304')
      await until(() => markedProcesses(mark).length > 4)
      for (const pid of descendants(places.sshd?.pid ?? 0, 'sshd')) process.kill(pid, 'SIGKILL')
      expect(await running).toMatchObject({
        code: 'TERMINAL_FAILED', error: 'terminal_run: the connection to the other host ended before the command did',
        data: { output: expect.stringMatching(/^begun\n/) as string },
      })
      expect(await run(hermes, 'echo new')).toMatchObject({ success: true, data: { output: 'new\n' } })
      await nothingLeft(mark)
      await hermes[Symbol.asyncDispose]()
    })

    it('before they begin where no host answers', async () => {
      const port = process.env['TERMINAL_SSH_PORT']
      process.env['TERMINAL_SSH_PORT'] = '1'
      const { hermes } = await places.open('ssh')
      const outcome = await run(hermes, 'pwd')
      process.env['TERMINAL_SSH_PORT'] = port
      expect(outcome).toMatchObject({
        code: 'UNREACHABLE', error: expect.stringMatching(/cannot be reached: ssh: connect to host 127\.0\.0\.1 port 1: Connection refused/) as string,
      })
      expect(await run(hermes, 'echo new')).toMatchObject({ success: true, data: { output: 'new\n' } })
      await hermes[Symbol.asyncDispose]()
    })
  })

  on('docker').describe('in a container', () => {
    it('that is ended by the client it was started with, from no directory that models write', async () => {
      const { hermes, root } = await places.open('docker')
      const directory = join(root, 'node_modules', '.bin')
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, 'docker'), `#!/bin/sh\ntouch ${join(root, 'fooled')}\n`, { mode: 0o755 })
      const path = process.env['PATH'] ?? ''
      process.env['PATH'] = `${directory}${delimiter}${path}`
      expect(await run(hermes, 'pwd')).toMatchObject({ success: true, data: { output: `${root}\n`, sandbox: 'docker' } })
      await hermes[Symbol.asyncDispose]()
      process.env['PATH'] = path
      expect(existsSync(join(root, 'fooled'))).toBe(false)
      const calls = readFileSync(join(places.docker, 'log'), 'utf8').trim().split('\n').map(line => JSON.parse(line) as string[])
      const [name] = calls.filter(([verb]) => verb === 'run').map(call => call[call.indexOf('--name') + 1]).slice(-1)
      expect(calls.at(-1)).toEqual(['rm', '--force', name])
      expect(calls.findLast(([verb]) => verb === 'run')).toEqual(expect.arrayContaining(['--rm', '--init', '--detach']))
      expect(calls.find(([verb, ...args]) => verb === 'exec' && args.includes(name ?? ''))).toEqual(expect.arrayContaining(['--interactive', '--tty']))
    })

    it('whose image is not there before they begin', async () => {
      const { hermes } = await places.open('docker', {}, { docker_image: 'no-such-image' })
      expect(await run(hermes, 'pwd')).toMatchObject({
        code: 'NOT_INSTALLED',
        error: `terminal_run: docker made no container of the image 'no-such-image': Unable to find image 'no-such-image:latest' locally`,
      })
      await hermes[Symbol.asyncDispose]()
    })
  })

  on('bwrap').describe('before they begin', () => {
    const dev = ['null', 'zero', 'urandom'].flatMap(name => ['--dev-bind', `/dev/${name}`, `/dev/${name}`])
    it.each([
      ['where there are no terminals', ['--tmpfs', '/dev', ...dev], 'TERMINAL_FAILED', /^terminal_run: no terminal could be made: /],
      ['where the package is not installed', ['--tmpfs', PACKAGE], 'NOT_INSTALLED', /^terminal_run: the package @lydell\/node-pty is not installed$/],
    ])('%s', async (_, hidden, code, error) => {
      const { hermes, root } = await places.open('none')
      await hermes[Symbol.asyncDispose]()
      const answer = answerWith(join(places.base, 'answer.md'), 'pwd')
      const bwrap = ['--dev-bind', '/', '/', ...hidden, '--', process.execPath]
      const { stdout, status } = spawnSync('bwrap', [...bwrap, CLI, 'apply', answer, '--root', root, '--sandbox', 'none', '--no-git', '--json'])
      const { results: [result] } = JSON.parse(String(stdout)) as { results: ActionResult[] }
      expect(result).toMatchObject({ code, error: expect.stringMatching(error) as string, hint: expect.stringMatching(/exec/i) as string })
      expect(status).toBe(1)
    })
  })
})

/** Processes of a name below one. */
function descendants(pid: number, name: string): number[] {
  const all = readdirSync('/proc').filter(one => /^\d+$/.test(one)).flatMap((one) => {
    const stat = existsSync(`/proc/${one}/stat`) ? readFileSync(`/proc/${one}/stat`, 'latin1') : ''
    const [, comm, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? []
    return comm?.startsWith(name) ? [{ pid: Number(one), parent: Number(parent) }] : []
  })
  const below = all.filter(one => one.parent === pid)
  return below.flatMap(one => [one.pid, ...descendants(one.pid, name)])
}
