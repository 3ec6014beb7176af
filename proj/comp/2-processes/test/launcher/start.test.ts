import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { useProgram } from '../../../../test/support/program.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { distrust, findProgram, openInBrowser, ownProgram, run, runNow, start } from '../../src/launcher/index.js'

const isPosix = process.platform !== 'win32'

/** A program that prints its words, in a directory of its own. */
function planted(directory: string, name: string, script: string): string {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

describe.runIf(process.platform === 'linux')('what whoever started hermes left open', () => {
  const program = useProgram(new URL('./prints-descriptors.ts', import.meta.url))

  it('is not inherited by what hermes starts', async () => {
    // Node itself sees to the first sixteen alone.
    const script = 'exec 8</ 41</ 43</etc/passwd; exec "$0" "$1" 41 43'
    const env = { PATH: process.env['PATH'] }
    const shown = promisify(execFile)('bash', ['--norc', '-c', script, process.execPath, program.path], { env })
    expect(await shown).toEqual({ stdout: '/dev/null\n/dev/null\nclosed\nclosed\n', stderr: '' })
  })
})

describe.runIf(isPosix)('a program', () => {
  it('is started by its absolute path, and called as it was given', async () => {
    const at = planted(join(tempDir(), 'bin'), 'shown', 'echo "$0"')
    const env = { PATH: [join(at, '..'), '/usr/bin', '/bin'].join(delimiter) }
    expect(String((await run({ program: 'shown', env })).stdout)).toBe(`${at}\n`)
    expect(String((await run({ program: 'sh', args: ['-c', 'echo "$0"'], env })).stdout)).toBe('sh\n')
    expect(runNow({ program: 'shown', env, stdio: ['ignore', 'pipe', 'ignore'] })).toMatchObject({ exitCode: 0, stdout: `${at}\n` })
  })

  it('is found in relative directories of PATH from where it runs', async () => {
    const cwd = tempDir()
    const at = planted(join(cwd, 'tools'), 'near', 'echo near')
    expect(String((await run({ program: 'near', cwd, env: { PATH: 'tools:/usr/bin:/bin' } })).stdout)).toBe('near\n')
    expect(findProgram('near', 'tools', cwd)).toBe(at)
    expect(() => findProgram('near', 'tools')).toThrow('spawn near ENOENT')
  })

  it('gets the environment it is given, and nothing else', async () => {
    const { stdout } = await run({ program: '/usr/bin/env', env: { ONLY: 'this', NOT: undefined } })
    expect(String(stdout)).toBe('ONLY=this\n')
  })

  it('that cannot be started is one of the errors of Node', async () => {
    const directory = tempDir()
    const plain = planted(directory, 'plain', '')
    chmodSync(plain, 0o644)
    writeFileSync(join(directory, 'lost'), '#!/no/such/interpreter\n', { mode: 0o755 })
    const env = { PATH: directory }
    for (const [program, code] of [['absent', 'ENOENT'], ['plain', 'EACCES'], ['lost', 'ENOENT'], [plain, 'EACCES'], ['/absent', 'ENOENT']] as const) {
      await expect(start({ program, env }), program).rejects.toMatchObject({ code, path: program, syscall: `spawn ${program}` })
      expect(runNow({ program, env, stdio: 'ignore' })).toMatchObject({ exitCode: null, error: { code } })
    }
    await expect(start({ program: '/bin/sh', args: ['x'.repeat(2 ** 22)], env })).rejects.toMatchObject({ code: 'E2BIG' })
  })

  it('of hermes itself comes from no directory in which a model writes', async () => {
    const root = tempDir()
    planted(join(root, 'bin'), 'xdg-open', `echo "$1" > ${root}/opened`)
    planted(join(root, 'bin'), 'own-program', 'echo planted')
    const outer = process.env['PATH']
    process.env['PATH'] = `${root}/bin`
    try {
      expect(ownProgram('own-program')).toBe(`${root}/bin/own-program`)
      distrust([root])
      expect(ownProgram('own-program')).toBeUndefined()
      if (process.platform === 'linux') await expect(openInBrowser('https://example.org')).rejects.toMatchObject({ code: 'ENOENT', path: 'xdg-open' })
    } finally {
      process.env['PATH'] = outer
    }
    expect(() => readFileSync(join(root, 'opened'))).toThrow('ENOENT')
  })

  it('is spoken to by its pipes', async () => {
    const program = await start({ program: '/bin/cat', env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    program.input.end('said')
    expect(await text(program.output)).toBe('said')
    expect(await program.exited).toEqual({ code: 0, signal: null })
    expect(program.stdio).toHaveLength(4)
    expect(program.signal('SIGKILL')).toBe(false)
  })
})

describe.runIf(isPosix)('run', () => {
  const sh = (script: string): { program: string; args: string[]; env: { PATH: string } } =>
    ({ program: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } })

  it('tells exit codes, and both outputs', async () => {
    const { exitCode, stdout, stderr, stopped } = await run({ ...sh('cat; echo err >&2; exit 3'), input: 'in' })
    expect({ exitCode, stopped, stdout: String(stdout), stderr: String(stderr) }).toEqual({ exitCode: 3, stopped: undefined, stdout: 'in', stderr: 'err\n' })
  })

  it('ends what prints too much, and keeps the start', async () => {
    const { stdout, truncated, stopped, exitCode } = await run({ ...sh('while :; do echo 0123456789; done'), maxOutputBytes: 15 })
    expect({ stdout: String(stdout), truncated, stopped, exitCode }).toEqual({ stdout: '0123456789\n0123', truncated: true, stopped: 'full', exitCode: null })
  })

  it('ends what its taker has enough of', async () => {
    const pieces: string[] = []
    const { stopped, stdout } = await run({ ...sh('echo one; exec sleep 60'), onOutput: piece => pieces.push(String(piece)) < 1 })
    expect({ pieces, stopped, stdout: stdout.length }).toEqual({ pieces: ['one\n'], stopped: 'full', stdout: 0 })
  })

  it('ends what takes too long or is cancelled: by SIGTERM, and else by SIGKILL', async () => {
    const times = { grace: 300, kill: 1000 }
    const polite = await run({ ...sh("trap 'echo ended; exit 5' TERM; echo; sleep 60 & wait"), timeoutMs: 300, leadsGroup: true })
    expect(polite).toMatchObject({ stopped: 'timeout', exitCode: 5 })
    expect(String(polite.stdout)).toBe('\nended\n')
    expect(await run({ ...sh("trap '' TERM; while :; do sleep 1; done"), timeoutMs: 300, leadsGroup: true, times })).toMatchObject({ stopped: 'timeout', exitCode: null })
    const controller = new AbortController()
    const ran = run({ ...sh('echo $$; kill -STOP $$'), signal: controller.signal, leadsGroup: true, times })
    await sleep(300)
    controller.abort()
    expect(await ran).toMatchObject({ stopped: 'cancelled', exitCode: null })
  })

  it('ends with a program what it started in its group', async () => {
    const { stdout, stopped } = await run({ ...sh('sleep 60 & echo $!; wait'), timeoutMs: 300, leadsGroup: true })
    expect(stopped).toBe('timeout')
    await expect.poll(() => String(runNow({ program: 'ps', args: ['-o', 'stat=', '-p', String(stdout).trim()], env: process.env, stdio: ['ignore', 'pipe', 'ignore'] }).stdout)).toMatch(/^(?:Z.*\n)?$/)
  })
})

describe.runIf(process.platform === 'linux')('a program that holds too much memory', () => {
  const hold = 'const held = []; setInterval(() => held.push(Buffer.alloc(2 ** 22, 1)), 5)'
  const most = { env: {}, mostMemoryBytes: 256 * 2 ** 20, leadsGroup: true }

  it('is ended, and so is one whose descendants do', async () => {
    expect(await run({ program: process.execPath, args: ['-e', hold], ...most })).toMatchObject({ stopped: 'memory' })
    const below = ['-c', '"$0" -e "$1" & wait', process.execPath, hold]
    expect(await run({ program: '/bin/sh', args: below, ...most })).toMatchObject({ stopped: 'memory' })
  })

  it('is where it holds a file that no directory has', async () => {
    const nameless = 'import os, time; f = os.memfd_create("x"); [os.write(f, bytes(1 << 20)) for _ in range(300)]; time.sleep(60)'
    expect(await run({ program: 'python3', args: ['-c', nameless], ...most, env: process.env })).toMatchObject({ stopped: 'memory' })
  })

  it('is not for what its processes share, which counts once, open or mapped', async () => {
    const shared = [
      'import os, mmap, time', 'f = os.memfd_create("x"); os.ftruncate(f, 60 << 20)',
      'm = [mmap.mmap(f, 60 << 20), mmap.mmap(-1, 60 << 20)]', 'for n in range(2): os.fork()',
      'for one in m: [one.__setitem__(at, 1) for at in range(0, 60 << 20, 4096)]', 'time.sleep(1); print("held", flush=True)',
      // Each waits for those it has started: with the first one ends what is left of its group.
      'while True:', '    try: os.wait()', '    except ChildProcessError: break',
    ].join('\n')
    const { stopped, stdout } = await run({ program: 'python3', args: ['-c', shared], ...most, env: process.env })
    expect({ stopped, stdout: String(stdout) }).toEqual({ stopped: undefined, stdout: 'held\n'.repeat(4) })
  })

  it('is not where it holds less', async () => {
    const less = 'const held = Buffer.alloc(2 ** 26, 1); setTimeout(() => process.stdout.write(String(held.length)), 600)'
    const { stopped, stdout } = await run({ program: process.execPath, args: ['-e', less], ...most })
    expect({ stopped, stdout: String(stdout) }).toEqual({ stopped: undefined, stdout: String(2 ** 26) })
  })
})
