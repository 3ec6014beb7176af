import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { orNothing } from '../../comp/0-contracts/src/index.js'
import type { ExecutionResult, HermesOptions } from '../../src/index.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { ACCOUNTS, command, python, Stage } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)
const FETCH = 'import urllib.request as u; print(len(u.urlopen("http://127.0.0.1:8123/").read()))'
/** Waits until the server listens: nothing here goes by how fast the machine is. */
const SERVE = 'python3 -m http.server 8123 & '
  + 'until python3 -c "import socket; socket.create_connection((\'127.0.0.1\', 8123))" 2>/dev/null; do sleep 0.05; done'
let count = 0

/** What the commands of one session find of each other, and what they do not. */
needing('bubblewrap').describe.each(ACCOUNTS)('commands of one task, as %s,', account => {
  const program = useProgram(source)

  async function run(lines: readonly string[], options: HermesOptions = {}, stage = new Stage(account)) {
    const answers = lines.map(line => command(line))
    const results = await stage.run(program.path, answers, { sandbox: 'bwrap', gitCommit: false, ...options })
    return { stage, outputs: results.map(outputOf), errors: results.map(result => result.results[0]?.error ?? '') }
  }

  it('find a server that an earlier one started', async () => {
    const { outputs } = await run([SERVE, python(FETCH), python(FETCH)])
    expect(outputs[1]).toMatch(/^\d+$/)
    expect(outputs[2]).toBe(outputs[1])
  })

  it('share /tmp and the home, and nothing with another session', async () => {
    const stage = new Stage(account)
    stage.env['HOME'] = '/nonexistent/home'
    // Else root's hermes makes that home, for its own key.
    stage.env['HERMES_HOME'] = join(stage.base, 'state')
    const { outputs } = await run(['echo one > /tmp/a; echo two > ~/b', 'cat /tmp/a ~/b'], {}, stage)
    expect(outputs[1]).toBe('one\ntwo')
    expect((await run(['ls /tmp/a ~/b'], {}, stage)).outputs[0]).toBe('')
  })

  it('can neither end nor look into what holds them', async () => {
    const looks = '/proc/[0-9]*/root/ /proc/[0-9]*/cwd/ /proc/[0-9]*/fd/0 /proc/[0-9]*/environ'
    const { outputs } = await run([
      'echo kept > /tmp/a; sleep 77 & kill -KILL 1 2; kill -STOP 1; kill -TERM 1; echo $$',
      // Of itself it may see all; of the others nothing.
      `for p in ${looks}; do case $p in /proc/$$/*) ;; *) test -e $p && head -c1 $p && echo "reached $p"; esac; done; `
        + 'cat /tmp/a',
      `pgrep sleep >/dev/null && ${python(
        'import ctypes, os; c = ctypes.CDLL(None); own = os.getpid(); '
        + 'others = [int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) not in (own, os.getppid())]; '
        + 'print(len(others) > 2, [c.ptrace(16, p, 0, 0) for p in others if os.getsid(p) != os.getsid(0)])',
      )}`,
      'grep Cap /proc/self/status; grep NoNewPrivs /proc/self/status; unshare -U true || echo none',
    ])
    expect(outputs[1]).toBe('kept')
    expect(outputs[2]).toMatch(/^True \[-1, -1, -1(?:, -1)*\]$/)
    expect(outputs[3]?.match(/0{16}/g)).toHaveLength(5)
    expect(outputs[3]).toContain('NoNewPrivs:\t1')
    expect(outputs[3]).toContain('none')
  })

  it('see no mounts but their own', async () => {
    const { outputs, stage } = await run([`sleep 77 & cat /proc/[0-9]*/mountinfo`])
    expect(outputs[0]).toContain(stage.root)
    expect(outputs[0]).not.toContain(`${stage.base}/outside`)
    // The machine's root, as a whole.
    expect(outputs[0]).not.toMatch(/ \/ \/ rw.* (?:ext4|overlay|xfs|btrfs) /)
  })

  it('cannot put a link where the next one has a mount', async () => {
    const stage = new Stage(account)
    const [, first = ''] = stage.base.split('/tmp/')
    const [name = ''] = first.split('/')
    const { outputs } = await run([
      `mv /tmp/${name} /tmp/moved && ln -s /oldroot${stage.outside} /tmp/${name} && echo moved; `
        + `rm -rf /tmp/${name}; mv ${stage.base} /tmp/moved; mv ~ /tmp/home; echo tried`,
      'mkdir -p .git/hooks && echo made; touch hermes.yaml.x && echo wrote',
    ], {}, stage)
    expect(outputs).toEqual(['tried', 'wrote'])
    expect(readdirSync(stage.outside)).toEqual(['secret.txt'])
    expect(orNothing(() => lstatSync(join(stage.root, '.git')).isDirectory(), false)).toBe(false)
  })

  it('keep .git from one that goes on in the background', async () => {
    const { outputs, stage } = await run([
      '(until [ -e go ]; do sleep 0.02; done; mkdir -p .git/hooks; touch .git/x; rmdir .git; git init; touch tried) '
        + '>/dev/null 2>&1 &',
      'touch go; until [ -e tried ]; do sleep 0.02; done; ls -A .git; echo end',
    ])
    expect(outputs[1]).toBe('end')
    expect(stage.has('project/.git')).toBe(false)
  })

  it('end with all that they started at their time limit, and the others go on', async () => {
    const mark = newMark()
    const { outputs, errors } = await run([
      SERVE,
      `(env -i setsid /bin/sh -c "(sleep ${mark} >/dev/null 2>&1 &)" &); setsid sleep ${mark} & sleep ${mark}`,
      `ps ax | grep -c "[s]leep ${mark}"; ${python(FETCH)}`,
    ], { timeoutMs: 6000 })
    expect(errors[1]).toContain('TIMEOUT')
    expect(outputs[2]).toMatch(/^0\n\d+$/)
  })

  it('share their limits', async () => {
    const start = 'for i in $(seq 40); do sleep 77 & done >/dev/null 2>&1'
    const { errors } = await run([start, `${start}; sleep 5`], { limits: { maxProcesses: 60 } })
    expect(errors[0]).toBe('')
    expect(errors[1]).toContain('too many processes')
  })

  it('do not wait for what prints on, nor for what holds their output', async () => {
    const { outputs } = await run(['(while :; do echo x; sleep 0.01; done) & echo begun', 'echo next'])
    expect(outputs[0]).toContain('begun')
    expect(outputs[1]).toBe('next')
  })

  it.each(['SIGKILL', 'SIGTERM', 'end'] as const)('end with hermes (%s)', async how => {
    const stage = new Stage(account)
    const mark = newMark()
    const start = `(env -i setsid /bin/sh -c "(sleep ${mark} >/dev/null 2>&1 &)" &); setsid sleep ${mark} & `
      // Only the kernel's signal is left to end them.
      + `kill -STOP $(pgrep -x cat); echo begun`
    const answers = [command(start), ...(how === 'end' ? [] : [command('sleep 60')])]
    const child = stage.start(program.path, answers, { sandbox: 'bwrap', gitCommit: false })
    const exited = once(child, 'exit')
    if (how !== 'end') {
      await vi.waitFor(() => expect(livingWith(mark)).toHaveLength(2), 20_000)
      child.kill(how)
    }
    await exited
    await vi.waitFor(() => expect(livingWith(mark)).toEqual([]), 10_000)
  })
})

describe('where namespaces cannot be shared', () => {
  needing('bubblewrap').it('each command has its own, as ever', async () => {
    const { createSandbox } = await import('../../comp/2-sandbox/src/index.js')
    const stage = new Stage()
    const sandbox = createSandbox({ root: stage.root, mode: 'bwrap' })
    await sandbox.admit('exec', 'true', async () => 'denied')
    const { file, shared, release } = await sandbox.confine({ verb: 'exec', file: 'true', args: [], cwd: stage.root })
    release?.()
    await sandbox.end()
    expect(file).toMatch(/bwrap$/)
    expect(shared).toBeUndefined()
  })
})

function outputOf({ results: [result] }: ExecutionResult): string {
  return String((result?.data as { stdout?: string } | undefined)?.stdout ?? '').trim()
}

/** Seconds of a `sleep` that no other test has. */
function newMark(): string {
  return `300.${process.pid}${String(++count).padStart(3, '0')}`
}

function livingWith(mark: string): string[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name))
    .filter(pid => orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), '').startsWith(`sleep\0${mark}`))
}
