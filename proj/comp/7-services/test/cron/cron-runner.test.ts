import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readAnswer } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import {
  addJob, CronRunner, cronWork, jobStates, readJobs, renderJobs, removeJob, RunLog, type CronRun,
} from '../../src/cron/index.js'
import { readSchedule } from '../../src/cron/schedule.js'
import type { RunnerOptions, Work } from '../../src/cron/runner.js'
import { signatureOf } from '../../src/gateway/index.js'

const MINUTE = 60_000
const model = useModelServer()
const done: Work = async (job, { write }) => {
  write(`${job.id} worked\n`)
  return { success: true, detail: 'fine' }
}

/** A directory of jobs whose clock the test sets. */
function world(
  work: Work = done, options: Pick<RunnerOptions, 'keepRuns' | 'keepOutput' | 'deliver' | 'onProblem'> = {},
) {
  const directory = join(tempDir(), 'cron')
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const seen: CronRun[] = []
  const abort = new AbortController()
  const runner = (): CronRunner => new CronRunner({
    directory, work, signal: abort.signal, timeZone: 'UTC', now: () => clock.now, onRun: (run) => seen.push(run),
    ...options,
  })
  const add = (schedule: string, id: string) => addJob(
    directory, { id, schedule, prompt: 'x', root: '/', createdMs: clock.now },
  )
  return { directory, clock, seen, abort, runner, add, log: new RunLog(directory) }
}

describe('what jobs do', () => {
  const KEY = 'key-of-the-job-0123456789'
  it.each([
    ['a prompt whose server repeats the key', { prompt: 'Hi' }, '401 Wrong key [masked CRON_API_KEY]'],
    ['an answer that cannot be read', { answer: `/nowhere/${KEY}.md` }, '/nowhere/[masked CRON_API_KEY].md'],
  ])('is kept without secrets: %s', async (_, task, kept) => {
    vi.stubEnv('CRON_API_KEY', KEY)
    model.improvise('refuses', () => readAnswer('answer status=401', `Wrong key ${KEY}`))
    const agent = { baseURL: model.url, apiKey: KEY, gitCommit: false, policy: false } as const
    const work = cronWork({ model: 'refuses', agent })
    const job = { id: 'j', schedule: '@daily', root: tempDir(), createdMs: 0, ...task }
    const { success, detail } = await work(job, { write: () => undefined, signal: new AbortController().signal })
    expect([success, detail]).toEqual([false, expect.stringContaining(kept)])
    vi.unstubAllEnvs()
  })
})

describe('schedules', () => {
  const times = async (expression: string, from: string, count: number): Promise<string[]> => {
    const { next } = await readSchedule(expression, 'Europe/Berlin')
    const found: number[] = []
    while (found.length < count) found.push(next(found.at(-1) ?? Date.parse(from)) ?? NaN)
    return found.map((time) => new Date(time).toISOString())
  }

  it('in the night of the change to summer time what is in the hour left out comes at its end', async () => {
    expect(await times('30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z',
    ])
  })

  it('in the night of the change back a daily job runs once, and an hourly one each hour', async () => {
    expect(await times('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z',
    ])
    expect(await times('30 * * * *', '2026-10-24T23:00:00Z', 4)).toEqual([
      '2026-10-24T23:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00.000Z',
    ])
  })

  it.each([
    '99 * * * *', 'now', '0 0 30 2 *', '* *', '',
  ])('%j is refused, and the hint says how one is written', async (expression) => {
    await expect(readSchedule(expression, undefined)).rejects.toMatchObject({
      code: 'INVALID_OPTION', hint: expect.stringContaining('minute hour'),
    })
  })

  it('a time zone that there is not is refused', async () => {
    await expect(readSchedule('@daily', 'Europe/Nowhere')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('CronRunner', () => {
  it('runs what is due, once, and keeps what it printed for its owner alone', async () => {
    const { clock, add, runner, log, directory } = world()
    await add('*/5 * * * *', 'five')
    await runner().once()
    expect(log.list('five')).toEqual([])
    clock.now += 5 * MINUTE
    await runner().once()
    await runner().once()
    const [run, ...others] = log.list('five')
    expect([others.length, run?.outcome, run && log.output(run)]).toEqual([0, 'done', 'five worked\n'])
    const files = readdirSync(join(directory, 'runs', 'five')).map(
      (name) => statSync(join(directory, 'runs', 'five', name)).mode & 0o777,
    )
    expect([...files, statSync(join(directory, 'jobs.json')).mode & 0o777]).toEqual([0o600, 0o600, 0o600])
  })

  it('makes missed times up once, and tells how many there were', async () => {
    const { clock, add, runner, log } = world()
    await add('0 * * * *', 'hourly')
    clock.now += 205 * MINUTE
    await runner().once()
    expect(log.list('hourly')).toMatchObject([
      { dueMs: Date.parse('2026-01-01T03:00:00Z'), missed: 2, outcome: 'done' },
    ])
  })

  it('a clock that is put back repeats nothing within hours, and keeps no job from running', async () => {
    const { clock, add, runner, log } = world()
    await add('0 * * * *', 'hourly')
    clock.now += 65 * MINUTE
    await runner().once()
    clock.now -= 30 * MINUTE
    await runner().once()
    expect(log.list('hourly')).toHaveLength(1)
    // A machine that woke up in the wrong year.
    const right = clock.now
    clock.now = Date.parse('2031-01-01T00:30:00Z')
    await runner().once()
    clock.now = right + 120 * MINUTE
    await runner().once()
    expect(log.list('hourly').map(({ dueMs }) => new Date(dueMs).toISOString().slice(0, 13))).toEqual([
      '2026-01-01T01', '2026-01-01T02', '2031-01-01T00',
    ])
  })

  it('what is to run once runs once, is removed, and its runs are no others\'', async () => {
    const { clock, runner, log, directory, seen } = world()
    const once = (schedule: string, more: object = {}) => addJob(
      directory, { schedule, prompt: 'x', root: '/', createdMs: clock.now, ...more }, 'UTC',
    )
    await once('in 30m')
    expect(readJobs(directory)).toMatchObject([{ id: 'job-1', atMs: clock.now + 30 * MINUTE, schedule: 'in 30m' }])
    clock.now += 29 * MINUTE
    await runner().once()
    expect(seen).toEqual([])
    clock.now += MINUTE
    await runner().once()
    await runner().once()
    expect([readJobs(directory), log.list('job-1').map(({ outcome }) => outcome)]).toEqual([[], ['done']])
    expect((await once('in 1h')).id).toBe('job-2')
    // By hand before its time: it still runs then. By hand when it is late: that was its run.
    await runner().runNow('job-2')
    clock.now += 61 * MINUTE
    expect(readJobs(directory)).toHaveLength(1)
    await runner().runNow('job-2')
    await runner().once()
    expect([readJobs(directory), log.list('job-2').length]).toEqual([[], 2])
  })

  it('what was to run once is made up within a bound, and told as missed after it', async () => {
    const { clock, runner, log, directory } = world()
    for (const id of ['late', 'later']) {
      await addJob(directory, { id, schedule: 'in 1h', prompt: 'x', root: '/', createdMs: clock.now })
      clock.now += (id === 'late' ? 24 : 26) * 60 * MINUTE
      await runner().once()
    }
    expect([...log.list('late'), ...log.list('later')]).toMatchObject([
      { outcome: 'done' }, { outcome: 'missed', detail: expect.stringContaining('cron.late') },
    ])
    expect(readJobs(directory)).toEqual([])
  })

  it('what ran once does not run again when the clock is put back, also where its runner died', async () => {
    const { clock, runner, log, directory, seen } = world()
    const { atMs = 0, createdMs } = await addJob(
      directory, { id: 'once', schedule: 'in 1h', prompt: 'x', root: '/', createdMs: clock.now },
    )
    // A runner that died in the middle of the run.
    log.save({ id: 'x', job: 'once', dueMs: atMs, startedMs: atMs, outcome: 'running', once: true })
    clock.now = createdMs - 300 * MINUTE
    await runner().once()
    clock.now = atMs + MINUTE
    await runner().once()
    expect(seen).toMatchObject([{ job: 'once', outcome: 'interrupted' }])
    expect(readJobs(directory)).toEqual([])
  })

  it('keeps what came of the last jobs that ran once, and no more', async () => {
    const { clock, runner, log, directory, add } = world(done, { keepRuns: 2 })
    await add('@daily', 'daily')
    for (let turn = 0; turn < 4; turn++) {
      await addJob(directory, { schedule: 'in 1h', prompt: 'x', root: '/', createdMs: clock.now })
      clock.now += 60 * MINUTE
      await runner().once()
    }
    clock.now += 24 * 60 * MINUTE
    await runner().once()
    // The fourth took the name that was free again.
    expect(log.jobs()).toEqual(['daily', 'job-1', 'job-3'])
  })

  describe('what a job delivers', () => {
    const answers: Work = async () => ({ success: true, detail: 'answered, 0 calls', answer: 'It is done.' })
    const delivering = (fails: (number: number) => boolean, work = answers) => {
      const sent: string[] = []
      const made = world(work, {
        deliver: async (to, text) => {
          sent.push(`${to} ${text}`)
          if (fails(sent.length)) throw new Error('it answers 503')
        },
      })
      const add = (schedule: string, id: string) => addJob(made.directory, {
        id, schedule, prompt: 'x', root: '/', createdMs: made.clock.now, deliver: 'webhook:c1',
      })
      return { ...made, add, sent }
    }

    it('is sent once, also with another runner after it', async () => {
      const { add, clock, runner, log, sent } = delivering(() => false)
      await add('in 1h', 'note')
      clock.now += 60 * MINUTE
      await runner().once()
      await runner().once()
      expect(sent).toEqual(['webhook:c1 It is done.'])
      expect(log.list('note').map(({ delivery }) => delivery)).toEqual([
        { to: 'webhook:c1', tries: 1, state: 'delivered' },
      ])
    })

    it('is tried three times by whatever runner there is, and told', async () => {
      const { add, clock, runner, log, sent, directory } = delivering(() => true)
      await add('@daily', 'note')
      clock.now += 24 * 60 * MINUTE
      await runner().once()
      await runner().once()
      expect(sent).toHaveLength(1)
      const [state] = await jobStates(directory, 'UTC')
      expect(state && renderJobs([state], { colour: false, zone: 'UTC' })).toContain(
        'last done 2026-01-02 00:00:00 UTC; to webhook:c1 (try 1 of 3 failed: it answers 503)',
      )
      for (const minutes of [1, 9, 1]) {
        clock.now += minutes * MINUTE
        await runner().once()
      }
      clock.now += 60 * MINUTE
      await runner().once()
      expect(sent).toHaveLength(3)
      expect(log.list('note')[0]?.delivery).toMatchObject({ state: 'failed', tries: 3, problem: 'it answers 503' })
    })

    it('is not sent again where a runner died while it was sent, and sent where it died before', async () => {
      const { add, clock, runner, log, sent } = delivering(() => false)
      await add('@daily', 'note')
      const run = { job: 'note', startedMs: clock.now, once: true } as const
      const delivery = { to: 'webhook:c1', tries: 0, text: 'kept' }
      log.save({ ...run, id: 'a', dueMs: 1, outcome: 'done', delivery: { ...delivery, state: 'sending', tries: 1 } })
      log.save({ ...run, id: 'b', dueMs: 2, outcome: 'done', delivery: { ...delivery, state: 'waiting' } })
      log.save({ ...run, id: 'c', dueMs: 3, outcome: 'running', delivery: { ...delivery, state: 'waiting' } })
      await runner().once()
      expect(sent.sort()).toEqual([
        'webhook:c1 The job note: interrupted, the runner died; it is not run again', 'webhook:c1 kept',
      ])
      expect(log.list('note').map((one) => one.delivery?.state)).toEqual(['unknown', 'delivered', 'delivered'])
    })

    it('says what failed; what is skipped says nothing', async () => {
      const { add, clock, runner, sent } = delivering(() => false, async () => ({ success: false, detail: 'no model' }))
      await add('in 1h', 'note')
      clock.now += 60 * MINUTE
      await runner().once()
      expect(sent).toEqual(['webhook:c1 The job note: failed, no model'])
    })
  })

  it('whatever a job throws, the others run, and it is told as failed', async () => {
    const { clock, add, runner, log } = world(async ({ id }) => {
      if (id === 'bad') throw new TypeError('a fault of the program')
      return { success: true, detail: 'fine' }
    })
    await add('* * * * *', 'bad')
    await add('* * * * *', 'good')
    clock.now += MINUTE
    await runner().once()
    expect([...log.list('bad'), ...log.list('good')]).toMatchObject([
      { outcome: 'failed', detail: 'a fault of the program' }, { outcome: 'done' },
    ])
  })

  it('skips what is due while the run before goes on, and tells it', async () => {
    let finish = (): void => undefined
    let begun = (): void => undefined
    const started = new Promise<void>((resolve) => { begun = resolve })
    const { clock, add, runner, log, abort, seen } = world(() => {
      begun()
      return new Promise((resolve) => { finish = () => resolve({ success: true, detail: 'late' }) })
    })
    await add('* * * * * *', 'each-second')
    clock.now += 1000
    const working = runner().forever()
    await started
    clock.now += 1000
    await expect.poll(() => log.list('each-second').map(({ outcome }) => outcome)).toEqual(['running', 'skipped'])
    expect(() => runner()).toThrow(expect.objectContaining({ code: 'LOCKED' }))
    abort.abort()
    finish()
    await working
    expect(log.list('each-second').map(({ outcome }) => outcome)).toEqual(['interrupted', 'skipped'])
    expect(seen.at(-1)).toMatchObject({ outcome: 'interrupted', detail: 'the runner was ended' })
  })

  it('keeps no more runs and no more output than it is told', async () => {
    const { clock, add, runner, log, directory } = world(async (_, { write }) => {
      write('x'.repeat(80))
      write('y'.repeat(80))
      return { success: true, detail: '' }
    }, { keepRuns: 2, keepOutput: 100 })
    await add('* * * * *', 'minutely')
    for (let turn = 0; turn < 4; turn++) {
      clock.now += MINUTE
      await runner().once()
    }
    const runs = log.list('minutely')
    expect([runs.length, readdirSync(join(directory, 'runs', 'minutely')).length]).toEqual([2, 4])
    const output = runs[1] ? log.output(runs[1]) : ''
    expect(output).toBe(`${'x'.repeat(80)}${'y'.repeat(20)}\n… more is not kept (cron.keep_output)\n`)
  })

  it('refuses a list of jobs that is none, and names that are taken', async () => {
    const { add, directory, runner } = world()
    await add('@daily', 'one')
    await expect(add('@daily', 'one')).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(add('@daily', '../x')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await removeJob(directory, 'one')
    expect(readJobs(directory)).toEqual([])
    await add('@daily', 'a')
    chmodSync(join(directory, 'jobs.json'), 0o666)
    // Others could have the agent work for them.
    expect(() => readJobs(directory)).toThrow('can be changed by other users')
    chmodSync(join(directory, 'jobs.json'), 0o600)
    writeFileSync(join(directory, 'jobs.json'), '{"version":1,"jobs":[{"id":"x"}]}')
    await expect(runner().once()).rejects.toMatchObject({ code: 'INVALID_POLICY' })
  })
})

describe('hermes cron', () => {
  const cli = useCli()

  it('a prompt goes to the agent with the settings of the user, also where only the job names a model', async () => {
    const directory = tempDir()
    const [home, root] = [join(directory, 'home'), join(directory, 'root')]
    for (const path of [join(home, '.hermes'), root]) mkdirSync(path, { recursive: true })
    writeFileSync(join(home, '.hermes', 'config.yaml'), `base_url: ${model.url}\nmax_retries: 0\n`)
    writeFileSync(join(home, '.hermes', '.env'), 'OPENAI_API_KEY=sk-0123456789abcdef0123456789\n', { mode: 0o600 })
    model.improvise('of-the-job', ({ messages }) => readAnswer('answer', messages.at(-1)?.role === 'tool'
      ? 'It is written, sk-0123456789abcdef0123456789.'
      : `@call write_file ${JSON.stringify({ path: 'note.txt', content: 'by cron' })}`))
    const run = (...args: string[]) => cli.run(['cron', ...args], { cwd: root, env: { HOME: home } })
    expect((await run('add', '@daily', 'write a note', '--name', 'note', '--model', 'of-the-job')).exitCode).toBe(0)
    const ran = await run('run', 'note', '--json', '--sandbox', 'none')
    expect(JSON.parse(ran.stdout)).toMatchObject([{ job: 'note', outcome: 'done', detail: 'answered, 1 calls' }])
    expect([ran.exitCode, ran.stderr, readFileSync(join(root, 'note.txt'), 'utf8')]).toEqual([0, '', 'by cron'])
    expect(model.headers('of-the-job')[0]?.authorization).toBe('Bearer sk-0123456789abcdef0123456789')
    const { stdout } = await run('log', '--output')
    expect(stdout).toContain('[write_file ok]\n    It is written, ')
    expect(stdout).not.toContain('0123456789abcdef')
    expect((await run('add', '@daily', 'more', '--name', 'unnamed')).exitCode).toBe(0)
    const failed = await run('run', 'unnamed', '--json')
    expect([failed.exitCode, JSON.parse(failed.stdout)]).toEqual([
      1, [expect.objectContaining({ outcome: 'failed', detail: 'No model is configured' })],
    ])
    const refused = await run('run', '--json')
    expect([refused.exitCode, JSON.parse(refused.stdout)]).toEqual([2, expect.objectContaining({
      success: false, code: 'INVALID_OPTION', error: expect.stringContaining('--once or JOB'),
    })])
  })

  it('an answer is delivered to a conversation of the gateway, signed, and told', async () => {
    const directory = tempDir()
    const [home, root] = [join(directory, 'home'), join(directory, 'root')]
    for (const path of [join(home, '.hermes'), root]) mkdirSync(path, { recursive: true })
    const posted: { body: string; signature: string }[] = []
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await readText(request)
      const signed = signatureOf(
        'v1', 'a-secret-of-the-test-000', String(request.headers['x-hermes-timestamp']), body,
      )
      posted.push({ body, signature: signed === request.headers['x-hermes-signature'] ? 'right' : 'wrong' })
      response.writeHead(204).end()
    }
    const peer = createServer((request, response) => void take(request, response))
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void peer.close())
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/`
    const config = `base_url: ${model.url}\nmodel: delivers\nmax_retries: 0\n`
    const run = (...args: string[]) => cli.run(['cron', ...args], { cwd: root, env: { HOME: home } })
    writeFileSync(join(home, '.hermes', 'config.yaml'), config)
    expect(await run('add', 'in 1h', 'say hello', '--deliver', 'webhook:c1')).toMatchObject({
      exitCode: 2, stderr: expect.stringContaining('webhook is not set up'),
    })
    writeFileSync(join(home, '.hermes', '.env'), 'HERMES_WEBHOOK_SECRET=a-secret-of-the-test-000\n', { mode: 0o600 })
    writeFileSync(join(home, '.hermes', 'config.yaml'), `${config}gateway: { webhook: { url: "${url}" } }\n`)
    expect((await run('add', 'in 1h', 'say hello', '--deliver', 'nowhere')).exitCode).toBe(2)
    expect((await run('add', 'in 1h', 'say hello', '--deliver', 'webhook:c1')).exitCode).toBe(0)
    model.improvise('delivers', () => readAnswer('answer', 'Hello ana.'))
    const ran = await run('run', 'job-1')
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('to webhook:c1 (delivered)') })
    expect(posted.map(({ body, signature }) => [signature, JSON.parse(body)])).toEqual([
      ['right', { id: expect.any(String), conversation: 'c1', text: 'Hello ana.' }],
    ])
    expect((await run('list')).stdout).toContain('; to webhook:c1 (delivered)')
  })

  it('a run that kill -9 ended is told as interrupted, its lock is taken over, and it is not begun again', async () => {
    const directory = tempDir()
    const [home, root] = [join(directory, 'home'), join(directory, 'root')]
    for (const path of [home, root]) mkdirSync(path)
    const run = (...args: string[]) => cli.run(['cron', ...args], { cwd: root, env: { HOME: home } })
    writeFileSync(
      join(directory, 'slow.md'), shamBlock('abc', 'exec', { lang: 'bash', code: 'echo begun > begun; sleep 60' }),
    )
    writeFileSync(
      join(directory, 'quick.md'), shamBlock('abc', 'file_write', { path: join(root, 'quick.txt'), content: 'ran' }),
    )
    expect((await run('add', '* * * * * *', '--answer', '../slow.md', '--name', 'slow')).exitCode).toBe(0)
    const child = spawn(process.execPath, [cli.path, 'cron', 'run', 'slow', '--sandbox', 'none'], {
      cwd: root, env: { ...plainEnvironment(), HOME: home }, stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await expect.poll(() => existsSync(join(root, 'begun')), { timeout: 30_000 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    expect((await run('remove', 'slow')).exitCode).toBe(0)
    expect((await run('add', '@daily', '--answer', '../quick.md', '--name', 'quick')).stdout).toMatch(
      /^Added quick; next at /,
    )
    // A root whose run died asks for hermes recover first.
    await cli.run(['recover'], { cwd: root, env: { HOME: home } })
    const next = await run('run', 'quick')
    expect(next.stdout).toMatch(/slow {2}interrupted .* the runner died; it is not run again/)
    expect(next).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(join(root, 'quick.txt'), 'utf8')).toBe('ran')
    const log = await run('log', 'slow', '--json')
    expect(JSON.parse(log.stdout)).toMatchObject([{ outcome: 'interrupted', job: 'slow' }])
    expect((await run('log', '--output')).stdout).toContain('ok  abc file_write')
    const once = await run('add', 'at 2031-12-01 09:00', 'x', '--name', 'once', '--time-zone', 'Europe/Berlin')
    expect(once.stdout).toMatch(/^Added once; once at 2031-12-01 /)
    expect((await run('list')).stdout).toMatch(/once 2031-12-01 \d\d:00:00 [A-Z]\S*\n/)
    expect(await run('add', 'in 3 months', 'x')).toMatchObject({
      exitCode: 2, stderr: expect.stringContaining('tomorrow 9:00'),
    })
    expect((await run('add', '@daily')).exitCode).toBe(2)
    expect((await run('remove', 'qick'))).toMatchObject({
      exitCode: 2, stderr: expect.stringContaining('There are quick, once.'),
    })
  })
})
