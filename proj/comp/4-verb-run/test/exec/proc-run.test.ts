import { execFileSync } from 'node:child_process'
import {
  chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { procRun } from '../../src/exec/proc-run.js'
import {
  type ExecSetup, fail, type Failure, markProcesses, NEEDS, type ProgramOutput, run, runProgram,
} from './run-exec.js'

async function failProgram(executable: string, args: string[], setup?: ExecSetup): Promise<Failure<ProgramOutput>> {
  return fail<ProgramOutput>(procRun, { executable, arguments: args }, setup)
}

function bash(code: string): [string, string[]] {
  return ['bash', ['-c', code]]
}

/** A program that writes its arguments, each ended by a NUL, to stdout. */
const ECHO = ['-e', "process.stdout.write(process.argv.slice(1).map(text => text + '\\0').join(''))", '--'] as const

function script(root: string, name: string, text: string): void {
  writeFileSync(join(root, name), text)
  chmodSync(join(root, name), 0o755)
}

describe('output', () => {
  for (const [mode, sandbox] of [['none', 'none'], ['auto', 'bwrap'], ['unshare', 'unshare']] as const) {
    needing(...NEEDS[mode]).it(`stands in files below .hermes/runs, which verbs may read and not write, sandbox ${mode}`, async () => {
      const root = tempDir()
      const result = await runProgram(...bash('echo out; echo err >&2'), { root, mode })
      const directory = join(root, '.hermes', 'runs', 'test')
      expect(result).toEqual({
        exitCode: 0, sandbox, stdoutPath: join(directory, '1.stdout.txt'), stderrPath: join(directory, '1.stderr.txt'),
      })
      expect(readFileSync(result.stdoutPath, 'utf8')).toBe('out\n')
      expect(readFileSync(result.stderrPath, 'utf8')).toBe('err\n')
      expect(statSync(result.stdoutPath).mode & 0o777).toBe(0o600)
      const gate = createPathGate({ root })
      expect(gate.approve(result.stdoutPath, 'read')).toBe(result.stdoutPath)
      expect(() => gate.approve(result.stdoutPath, 'write')).toThrow('denied')
    })
  }

  it('of each run has files of its own', async () => {
    const root = tempDir()
    const paths = []
    for (let n = 0; n < 3; n++) paths.push((await runProgram('echo', [String(n)], { root })).stdoutPath)
    const together = await Promise.all([3, 4, 5].map(n => runProgram('echo', [String(n)], { root })))
    paths.push(...together.map(({ stdoutPath }) => stdoutPath))
    expect(paths.map(path => readFileSync(path, 'utf8'))).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n', '5\n'])
    expect(new Set(paths).size).toBe(6)
  })

  it('is kept byte for byte', async () => {
    const code = 'process.stdout.write(Buffer.from(Array.from({ length: 1e6 }, (_, at) => (at * 7 + (at >> 8)) & 255)))'
    const { stdoutPath } = await runProgram(process.execPath, ['-e', code])
    const expected = Buffer.from(Array.from({ length: 1e6 }, (_, at) => (at * 7 + (at >> 8)) & 255))
    expect(readFileSync(stdoutPath).equals(expected)).toBe(true)
  })

  it('of 90 MB does not pass through the memory', async () => {
    const before = process.memoryUsage().rss
    const { stdoutPath } = await runProgram(...bash('yes éééééééééééééééé | head -c 90000000'))
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 2 ** 20)
    expect(statSync(stdoutPath).size).toBe(90_000_000)
  })

  it.each([['stdout', ''], ['stderr', ' >&2']])('without end is stopped at 100 MiB: %s', async (name, to) => {
    const living = markProcesses()
    const failure = await failProgram(...bash(`yes${to} & wait`))
    expect(failure).toMatchObject({
      code: 'OUTPUT_LIMIT', message: `proc.run: bash printed more than 100 MiB to ${name} (OUTPUT_LIMIT)`,
    })
    expect(failure.data).toMatchObject({ exitCode: 143 })
    expect(failure.hint).toContain('first 100 MiB')
    expect(statSync(failure.data?.[name === 'stdout' ? 'stdoutPath' : 'stderrPath'] ?? '').size).toBe(100 * 2 ** 20)
    expect(living()).toEqual([])
  })

  it('of exactly 100 MiB is no failure', async () => {
    const { stdoutPath } = await runProgram('head', ['-c', String(100 * 2 ** 20), '/dev/zero'])
    expect(statSync(stdoutPath).size).toBe(100 * 2 ** 20)
  })

  it('never follows a link put in its place', async () => {
    const root = tempDir()
    const directory = join(root, '.hermes', 'runs', 'test')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(root, 'precious'), 'kept')
    symlinkSync(join(root, 'precious'), join(directory, '1.stdout.txt'))
    symlinkSync(join(root, 'precious'), join(directory, '2.stderr.txt'))
    const { stdoutPath } = await runProgram('echo', ['x'], { root })
    expect(readFileSync(stdoutPath, 'utf8')).toBe('x\n')
    expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('kept')
    expect(existsSync(join(directory, '2.stdout.txt'))).toBe(stdoutPath === join(directory, '2.stdout.txt'))
  })

  it('has nowhere to go where .hermes is a link', async () => {
    const root = tempDir()
    symlinkSync(tempDir(), join(root, '.hermes'))
    expect(await failProgram('echo', ['x'], { root })).toMatchObject({ code: 'POLICY_DENIED' })
  })
})

describe('arguments', () => {
  it.each([
    ['none', []],
    ['empty texts', ['', '', 'x', '']],
    ['line breaks', ['a\nb', '\r\n', '\n']],
    ['quotes and backslashes', [`'`, `"`, '\\', `\\"`, `'"'"'`, '`id`', '$(id)', '$HOME', '%PATH%']],
    ['wildcards and pipes', ['*', '?', '[a-z]', '|', '>', '<', '&', ';', '&&', '#', '!', '~', '{a,b}']],
    ['dashes', ['-', '--', '-e', '--version']],
    ['blanks', [' ', '\t', ' a b ']],
    ['characters beyond ASCII', ['é', '日本', '😀', '\u200b', '\ufeff']],
    ['many', Array.from({ length: 2000 }, (_, n) => `argument ${n}`)],
    ['a long one', ['x'.repeat(100_000)]],
  ])('reach the program as they are: %s', async (_, args) => {
    const { stdoutPath } = await runProgram(process.execPath, [...ECHO, ...args])
    expect(readFileSync(stdoutPath, 'utf8')).toBe(args.map(text => `${text}\0`).join(''))
  })

  it.each([
    ['a NUL', ['ok', 'a\0b'], 'proc.run: arguments[1] must not contain NUL characters'],
    ['half of a surrogate pair', ['\ud83d'], 'proc.run: arguments[0] holds half of a surrogate pair'],
  ])('cannot hold %s', async (_, args, message) => {
    const root = tempDir()
    expect(await failProgram('echo', args, { root })).toMatchObject({ code: 'INVALID_PARAMETER', message })
    expect(readdirSync(root)).toEqual([])
  })

  it('may be too long for the system', async () => {
    const root = tempDir()
    const failure = await failProgram('echo', ['x'.repeat(2 ** 22)], { root })
    expect(failure).toMatchObject({ code: 'E2BIG', message: 'proc.run: echo could not be started (E2BIG)' })
    expect(failure.hint).toContain('write them to a file')
    expect(readdirSync(join(root, '.hermes', 'runs'))).toEqual([])
  })
})

describe('the executable', () => {
  it.each([
    ['no-such-program', [], 'proc.run: no-such-program not found in PATH (ENOENT)', 'Give the name'],
    ['git status', [], 'proc.run: git status not found in PATH (ENOENT)', 'Give the program alone, "git"'],
    ['./no-such-file', [], 'proc.run: ./no-such-file does not exist (ENOENT)', 'A path starts at the root'],
    ['/no/such/file', [], 'proc.run: /no/such/file does not exist (ENOENT)', 'A path starts at the root'],
  ])('may be missing: %s', async (executable, args, message, hint) => {
    const failure = await failProgram(executable, args)
    expect(failure).toMatchObject({ code: 'ENOENT', message, data: undefined })
    expect(failure.hint).toContain(hint)
  })

  it('as a path starts at the root, and may be written under an alias', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'bin'))
    script(join(root, 'bin'), 'tool', '#!/bin/sh\necho "$0 in $PWD"\n')
    const setup = { root, aliases: ['/workspace'] }
    for (const executable of ['bin/tool', './bin/tool', join(root, 'bin', 'tool'), '/workspace/bin/tool']) {
      const { stdoutPath } = await runProgram(executable, [], setup)
      expect(readFileSync(stdoutPath, 'utf8')).toBe(`${join(root, 'bin', 'tool')} in ${root}\n`)
    }
    expect(await failProgram('tool', [], setup)).toMatchObject({ code: 'ENOENT' })
  })

  needing('bubblewrap').it('may not be one outside the root which the sandbox hides', async () => {
    const other = tempDir()
    script(other, 'tool', '#!/bin/sh\necho outside\n')
    expect(await failProgram(join(other, 'tool'), [], { mode: 'auto' })).toMatchObject({
      code: 'POLICY_DENIED', message: `proc.run: ${join(other, 'tool')} is outside of what the sandbox shows`,
    })
  })

  it('may be one outside the root where no sandbox hides it', async () => {
    const other = tempDir()
    script(other, 'tool', '#!/bin/sh\necho outside\n')
    const { stdoutPath } = await runProgram(join(other, 'tool'), [])
    expect(readFileSync(stdoutPath, 'utf8')).toBe('outside\n')
  })

  it('is started by the name it was given, also where that is a link', async () => {
    const root = tempDir()
    script(root, 'real', '#!/bin/sh\necho "$0"\n')
    symlinkSync('real', join(root, 'linked'))
    const { stdoutPath } = await runProgram('./linked', [], { root })
    expect(readFileSync(stdoutPath, 'utf8')).toBe(`${join(root, 'linked')}\n`)
  })

  it('may be no program', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'text'), 'words')
    mkdirSync(join(root, 'directory'))
    script(root, 'broken', '#!/no/such/interpreter\n')
    for (const name of ['./text', './directory']) {
      const failure = await failProgram(name, [], { root })
      expect(failure).toMatchObject({ code: 'EACCES', message: `proc.run: ${name} could not be started (EACCES)` })
      expect(failure.hint).toContain('chmod +x')
    }
    expect(await failProgram('./broken', [], { root })).toMatchObject({
      code: 'ENOENT', message: 'proc.run: the interpreter of ./broken is missing (ENOENT)',
    })
  })
})

describe('surroundings', () => {
  it('are the root, a closed stdin and the passed environment', async () => {
    vi.stubEnv('HERMES_TEST_VALUE', 'ü')
    onTestFinished(() => void vi.unstubAllEnvs())
    const root = tempDir()
    const { stdoutPath } = await runProgram(...bash('pwd; cat; echo "$HERMES_TEST_VALUE"'), { root })
    expect(readFileSync(stdoutPath, 'utf8')).toBe(`${root}\nü\n`)
  })
})

describe('the end', () => {
  it('by an exit code is a failure with the files', async () => {
    const failure = await failProgram(...bash('echo out; echo "no such thing" >&2; exit 3'))
    expect(failure).toMatchObject({
      code: 'NONZERO_EXIT', message: 'proc.run: bash exited with code 3', hint: 'stderr says: no such thing',
      data: { exitCode: 3 },
    })
    expect(readFileSync(failure.data?.stdoutPath ?? '', 'utf8')).toBe('out\n')
    expect(readFileSync(failure.data?.stderrPath ?? '', 'utf8')).toBe('no such thing\n')
  })

  it('by a signal is 128 + n', async () => {
    expect(await failProgram(...bash('kill -TERM $$'))).toMatchObject({
      code: 'NONZERO_EXIT', message: 'proc.run: bash was killed by SIGTERM (exit code 143)', data: { exitCode: 143 },
    })
  })

  needing('bubblewrap').it('by a signal in the sandbox is 128 + n', async () => {
    expect(await failProgram(...bash('kill -TERM $$'), { mode: 'auto' })).toMatchObject({
      code: 'NONZERO_EXIT', message: 'proc.run: bash exited with code 143 (as after SIGTERM)', data: { exitCode: 143 },
    })
  })

  it('finds its cause in the last of much output', async () => {
    const code = 'seq 100000 >&2; echo "ValueError: bad é" >&2; seq 10 >&2; exit 1'
    expect((await failProgram(...bash(code))).hint).toBe('stderr says: ValueError: bad é')
  })

  it('by the time limit keeps what was printed', async () => {
    const living = markProcesses()
    const failure = await failProgram(...bash('echo so far; setsid sleep 60 & sleep 60'), {
      limits: { commandTimeoutMs: 300 },
    })
    expect(failure).toMatchObject({
      code: 'TIMEOUT', message: 'proc.run: Process timeout after 0.3s (TIMEOUT)',
    })
    expect(failure.data).toMatchObject({ exitCode: 124 })
    expect(failure.hint).toContain('Do less in one call: the limit of 0.3 s applies, and only the user can raise it')
    expect(readFileSync(failure.data?.stdoutPath ?? '', 'utf8')).toBe('so far\n')
    expect(living()).toEqual([])
  })

  it('by a cancel keeps what was printed', async () => {
    const living = markProcesses()
    const controller = new AbortController()
    const root = tempDir()
    const code = 'echo begun; touch begun; sleep 60 & wait'
    const running = failProgram(...bash(code), { root, signal: controller.signal })
    while (!existsSync(join(root, 'begun'))) await sleep(5)
    controller.abort()
    const failure = await running
    expect(failure).toMatchObject({ code: 'CANCELLED', message: 'proc.run: cancelled (CANCELLED)' })
    expect(readFileSync(failure.data?.stdoutPath ?? '', 'utf8')).toBe('begun\n')
    expect(living()).toEqual([])
  })

  it('before the start by a cancel leaves nothing behind', async () => {
    const root = tempDir()
    expect(await failProgram('echo', [], { root, signal: AbortSignal.abort() })).toMatchObject({ code: 'CANCELLED' })
    expect(readdirSync(root)).toEqual([])
  })

  it('takes background processes with it', async () => {
    const living = markProcesses()
    const { stdoutPath } = await runProgram(...bash('setsid sleep 60 & sleep 60 & echo done'))
    expect(readFileSync(stdoutPath, 'utf8')).toBe('done\n')
    expect(living()).toEqual([])
  })
})

it('keeps the outputs of the newest 50 runs', async () => {
  const root = tempDir()
  const runs = join(root, '.hermes', 'runs')
  for (let n = 10; n < 70; n++) mkdirSync(join(runs, `r${n}`), { recursive: true })
  writeFileSync(join(runs, 'r10', '1.stdout.txt'), 'old')
  symlinkSync(root, join(runs, 'r00'))
  writeFileSync(join(root, 'kept'), '')
  await runProgram('echo', ['x'], { root })
  const kept = readdirSync(runs)
  expect(kept).toHaveLength(51)
  expect(kept).toEqual(expect.arrayContaining(['r00', 'r21', 'r69', 'test']))
  expect(kept).not.toContain('r20')
  expect(existsSync(join(root, 'kept'))).toBe(true)
})

it('leaves nothing for git to see', async () => {
  const root = tempDir()
  execFileSync('git', ['init', '-q'], { cwd: root })
  await runProgram('echo', ['x'], { root })
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe('')
})

it.each(procRun.examples.map(example => [example]))('runs its example %j', async example => {
  expect(await run(procRun, example)).toMatchObject({ exitCode: 0 })
})
