import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { readTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'

const cli = useCli()

/** A run whose first block is a command that writes its process id and goes on forever. */
async function runForever(cwd: string, code: string, flags: readonly string[] = []) {
  writeFileSync(join(cwd, 'answer.md'), [
    shamBlock('run', 'exec', { lang: 'bash', code }),
    shamBlock('new', 'file_write', { path: '/w/never', content: 'x' }),
  ].join('\n'))
  // Inside a sandbox the process would have another id.
  const args = [cli.path, 'apply', 'answer.md', '--root-alias', '/w', '--sandbox', 'none', ...flags]
  const child = spawn(process.execPath, args, { cwd, env: plainEnvironment() })
  const ended = Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
  const pidFile = join(cwd, 'pid')
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(10)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { child, pid, ended: ended.then(([stdout, stderr, exitCode]) => ({ stdout, stderr, exitCode })) }
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise(resolve => {
    child.on('exit', resolve)
  })
}

/** False for a zombie too. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    // ps exits with 1 where no such process is.
    return false
  }
}

describe.skipIf(process.platform === 'win32')('interrupting', () => {
  it.each([
    ['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129],
  ] as const)('%s ends the command, runs nothing more and reports', async (signal, code) => {
    const cwd = tempDir()
    const { child, pid, ended } = await runForever(cwd, 'echo begun; echo $$ > pid; exec sleep 1000')
    child.kill(signal)
    const { stdout, stderr, exitCode } = await ended
    expect(exitCode).toBe(code)
    expect(stderr).toBe('')
    expect(stdout.replace(/\d+\.\d\d s/, '0.00 s')).toBe([
      '✗  run  exec                bash: echo begun; echo $$ > pid; exec sleep 1000  lines 1-5',
      '    exec: cancelled (CANCELLED)',
      '    hint: The run was cancelled from outside. Send the block again to run it.',
      '    out │ begun',
      '✗  new  file_write          never  lines 6-10',
      '    Cancelled before it started  CANCELLED',
      '    hint: Run the block again.',
      '',
      'interrupted · 0 of 2 blocks succeeded · 2 failed · 0.00 s',
      'Stopped: run exec bash: echo begun; echo $$ > pid; exec sleep 1000',
      'Not begun: new',
      'What had run stays; hermes undo takes it back.',
      '',
    ].join('\n'))
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(cwd, 'never'))).toBe(false)
  })

  it('--json still prints its document', async () => {
    const { child, ended } = await runForever(tempDir(), 'echo $$ > pid; exec sleep 1000', ['--json'])
    child.kill('SIGINT')
    const { stdout, exitCode } = await ended
    expect(exitCode).toBe(130)
    const cancelled = { code: 'CANCELLED' }
    expect(JSON.parse(stdout)).toMatchObject({ success: false, results: [cancelled, cancelled] })
  })

  it('stops between blocks that never wait', async () => {
    const cwd = tempDir()
    const blocks = Array.from({ length: 20_000 }, (_, index) => (
      shamBlock(`k${index}`, 'file_write', { path: '/w/a.txt', content: `${index}` })
    ))
    writeFileSync(join(cwd, 'answer.md'), blocks.join('\n'))
    const args = [cli.path, 'apply', 'answer.md', '--root-alias', '/w', '--json']
    const child = spawn(process.execPath, args, { cwd, env: plainEnvironment() })
    const ended = Promise.all([text(child.stdout), exitOf(child)])
    while (!existsSync(join(cwd, 'a.txt'))) await sleep(5)
    child.kill('SIGINT')
    const [stdout, exitCode] = await ended
    expect(exitCode).toBe(130)
    const { results } = JSON.parse(stdout) as { results: { success: boolean; code?: string }[] }
    expect(results[0]).toMatchObject({ success: true })
    expect(results.at(-1)).toMatchObject({ success: false, code: 'CANCELLED' })
  })

  it('a second SIGINT ends the program at once', async () => {
    const { child, ended } = await runForever(tempDir(), "trap '' TERM INT; echo $$ > pid; while :; do sleep 0.1; done")
    child.kill('SIGINT')
    await sleep(100)
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
  })
})

describe.skipIf(process.platform === 'win32')('a reader of the output that goes away', () => {
  it('is no error, and the run goes on', async () => {
    const cwd = tempDir()
    const count = 300
    const blocks = Array.from({ length: count }, (_, index) => (
      shamBlock(`b${index}`.slice(0, 8), 'file_write', { path: `/w/out/${index}`, content: `${index}` })
    ))
    const pause = shamBlock('wait', 'exec', { lang: 'bash', code: 'while [ ! -e closed ]; do sleep 0.01; done' })
    writeFileSync(join(cwd, 'answer.md'), [blocks[0], pause, ...blocks.slice(1)].join('\n'))
    const command = '{ "$0" "$1" apply answer.md --root-alias /w --sandbox none; echo "exit $?" >&2; } | '
      + '{ head -1; exec <&-; touch closed; }'
    const child = spawn('sh', ['-c', command, process.execPath, cli.path], { cwd, env: plainEnvironment() })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toBe('✓  b0    file_write          out/0  created, 1 B\n')
    expect(stderr).toBe('exit 0\n')
    expect(Object.keys(readTree(join(cwd, 'out')))).toHaveLength(count)
  })
})

describe.skipIf(process.platform === 'win32')('a pipe that another program made not to wait', () => {
  it('gets all of a long output, though its reader is slow', async () => {
    const cwd = tempDir()
    const args = [cli.path, 'tools', 'list', '--format', 'json-schema']
    // Node itself sets that for a pipe it writes to, and takes it back for the first three descriptors of a child only.
    const other = `process.stdout.write('first\\n')
      const { status } = require('node:child_process').spawnSync(
        'sh', ['-c', 'exec "$0" "$@" >&3', process.execPath, ...process.argv.slice(1)], { stdio: ['ignore', 'ignore', 'inherit', 1] },
      )
      process.exitCode = status`
    const command = '{ "$0" -e "$@"; echo "exit $?" >&2; } | { sleep 1; cat; }'
    const child = spawn('sh', ['-c', command, process.execPath, other, '--', ...args], { cwd, env: plainEnvironment() })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const { stdout: whole } = await cli.run(args.slice(1), { cwd })
    expect(stderr).toBe('exit 0\n')
    expect(stdout === `first\n${whole}`).toBe(true)
    // More than a pipe holds.
    expect(whole.length).toBeGreaterThan(100_000)
  })
})
