import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { failExec, runExec } from './run-exec.js'

/** Makes a directory with these programs the whole PATH of the running test. */
function onlyPath(programs: Record<string, string>): string {
  const bin = tempDir()
  const before = process.env['PATH']
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  process.env['PATH'] = bin
  onTestFinished(() => {
    process.env['PATH'] = before
  })
  return bin
}

describe('a missing interpreter', () => {
  it.each([['ruby', 'ruby'], ['python', 'python3'], ['bash', 'bash']] as const)('%s', async (lang, program) => {
    onlyPath({})
    const failure = await failExec({ lang, code: 'print 1' })
    expect(failure).toMatchObject({ code: 'ENOENT', message: `exec: ${program} not found in PATH (ENOENT)` })
    expect(failure.hint).toContain(`Install ${lang}`)
    expect(await failExec({ lang, code: 'print 1', version: '3' })).toEqual(failure)
  })

  it('is not looked for further when another name works', async () => {
    onlyPath({ python: 'echo "python it is: $2"' })
    expect(await runExec({ lang: 'python', code: 'x' })).toMatchObject({ stdout: 'python it is: x\n' })
  })

  it('differs from one that may not be executed', async () => {
    const bin = onlyPath({ ruby: '' })
    chmodSync(join(bin, 'ruby'), 0o644)
    expect(await failExec({ lang: 'ruby', code: '1' })).toMatchObject({
      code: 'EACCES', message: 'exec: ruby could not be started (EACCES)',
    })
  })
})

describe('version', () => {
  it('takes the interpreter whose version has the prefix', async () => {
    onlyPath({
      python3: 'echo Python 3.11.7', 'python3.1': 'echo Python 3.1.4', python: 'echo Python 2.7.18 >&2',
    })
    expect(await runExec({ lang: 'python', code: 'x', version: '3.11' })).toMatchObject({ stdout: 'Python 3.11.7\n' })
    expect(await runExec({ lang: 'python', code: 'x', version: '3.1' })).toMatchObject({ stdout: 'Python 3.1.4\n' })
    expect(await runExec({ lang: 'python', code: 'x', version: '2' })).toMatchObject({ stderr: 'Python 2.7.18\n' })
  })

  it('lists those found when none has it', async () => {
    onlyPath({ python3: 'echo Python 3.11.7', python: 'exit 127' })
    const failure = await failExec({ lang: 'python', code: 'x', version: '3.9' })
    expect(failure).toMatchObject({
      code: 'INVALID_PARAMETER', message: 'exec: python 3.9 not found. Found: 3.11.7 (python3)',
    })
    expect(failure.hint).toContain('version = "3.11.7"')
  })

  it('never becomes a path', async () => {
    onlyPath({ python3: 'echo Python 3.11.7' })
    for (const version of ['../../evil', 'latest', '3.x', '', '3.11.7\n', '3.11.']) {
      expect(await failExec({ lang: 'python', code: 'x', version })).toMatchObject({ code: 'INVALID_PARAMETER' })
    }
  })

  it('works with the real programs', async () => {
    const [major] = process.versions.node.split('.')
    expect(await runExec({ lang: 'javascript', code: 'console.log(process.version)', version: major ?? '' }))
      .toMatchObject({ stdout: `${process.version}\n` })
    const real = /\d+\.\d+/.exec(execFileSync('bash', ['--version'], { encoding: 'utf8' }))?.[0] ?? ''
    expect(await runExec({ lang: 'bash', code: 'echo $BASH_VERSION', version: real }))
      .toMatchObject({ stdout: expect.stringMatching(`^${real}`) })
    expect(await failExec({ lang: 'bash', code: 'echo', version: '1.0' })).toMatchObject({ code: 'INVALID_PARAMETER' })
  })
})

it('finds programs through links', async () => {
  const bin = onlyPath({ real: 'echo linked' })
  symlinkSync(join(bin, 'real'), join(bin, 'ruby'))
  expect(await runExec({ lang: 'ruby', code: '1' })).toMatchObject({ stdout: 'linked\n' })
})
