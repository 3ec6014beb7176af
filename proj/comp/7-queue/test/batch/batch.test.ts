import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { describeWithTerminal, openTerminal } from '../../../../test/support/terminal.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ModelRequest } from '../../../6-agent/test/agent/support/model-server.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import { emptyPromptReport } from '../../src/batch/batch-model.js'
import { renderBatch } from '../../src/batch/render-batch.js'
import { addReport, noStatistics } from '../../src/batch/statistics.js'

const launcher = fileURLToPath(new URL('../../../../../dist/cli.cjs', import.meta.url))
const server = useModelServer()

const COMMAND = ['batch', 'prompts.jsonl', '--out', 'out', '--model', 'm', '--no-git']

function environment(cwd: string): Record<string, string> {
  return {
    ...plainEnvironment(), HOME: cwd, TMPDIR: join(cwd, 'tmp'), OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x', HERMES_MODEL: 'm',
  }
}

function start(cwd: string, args: readonly string[]): { child: ChildProcess; ended: Promise<{ code: number | null; stdout: string; stderr: string }> } {
  const child = spawn(process.execPath, [launcher, ...COMMAND, ...args], {
    // A group of its own, which gets what a terminal would send.
    cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: environment(cwd),
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (piece) => { texts.stdout += String(piece) })
  child.stderr.on('data', (piece) => { texts.stderr += String(piece) })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => (
    child.once('close', (code) => resolve({ code, ...texts }))
  ))
  return { child, ended }
}

function workplace(prompts: readonly (object | string)[]): string {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'tmp'))
  writeFileSync(join(cwd, 'prompts.jsonl'), prompts.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''))
  return cwd
}

const linesOf = (file: string): Record<string, unknown>[] => (
  readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>)
)
/** Results that were kept so far: what is being written just then is none yet. */
const keptIn = (cwd: string): number => {
  const parts = join(cwd, 'out/parts')
  const names = existsSync(parts) ? readdirSync(parts) : []
  return names.reduce((sum, name) => sum + readFileSync(join(parts, name), 'utf8').split('\n').length - 1, 0)
}
const asked = ({ messages }: ModelRequest): string => String(messages.find(({ role }) => role === 'user')?.content)
const isFirst = ({ messages }: ModelRequest): boolean => messages.at(-1)?.role === 'user'

it('gives each prompt a workspace of its own, counts what was called, and keeps failures with their reasons', async () => {
  const cwd = workplace([
    { prompt: 'write one', id: 'first', source: 'book' }, { prompt: 'write two' }, 'no json', { text: 'no prompt' }, { prompt: 'fail', id: 'bad one' },
  ])
  mkdirSync(join(cwd, 'fixture'))
  writeFileSync(join(cwd, 'fixture', 'a.txt'), 'from the fixture\n')
  let isMended = false
  server.improvise('m', (request) => {
    if (asked(request) === 'fail' && !isMended) return { ...say('not today'), status: 400 }
    return isFirst(request) ? say('', ['read_file', { path: 'a.txt' }], ['write_file', { path: 'a.txt', content: asked(request) }], ['read_file', { path: 'b' }])
      : say(`Done: ${asked(request)}`)
  })
  const { code, stdout, stderr } = await start(cwd, ['--fixture', 'fixture', '--json']).ended
  expect({ code, stderr: stderr.replace(cwd, '') }).toEqual({ code: 1, stderr: 'Trajectories: /out/trajectories.jsonl\n' })
  expect(JSON.parse(stdout)).toMatchObject({
    prompts: 3, answered: 2, failed: 1, failures: [{ name: 'bad one', line: 5, code: 'MODEL_FAILED' }],
    bad: [{ line: 3, problem: 'it is no JSON object' }, { line: 4, problem: "it has no text as 'prompt'" }],
    tools: { read_file: { calls: 4, success: 2, failure: 2 }, write_file: { calls: 2, success: 2, failure: 0 } },
  })
  const kept = linesOf(join(cwd, 'out/trajectories.jsonl'))
  expect(kept.map(({ id, metadata }) => ({ id, metadata }))).toEqual([{ id: 'first', metadata: { source: 'book' } }, { id: 'line 2', metadata: undefined }])
  const text = JSON.stringify(kept)
  expect(text).toContain('from the fixture')
  expect(text).not.toContain(join(cwd, 'tmp'))
  expect(((kept[0] ?? {})['conversations'] as { from: string }[]).map(({ from }) => from)).toEqual(['system', 'human', 'gpt', 'tool', 'gpt'])
  expect(readFileSync(join(cwd, 'fixture', 'a.txt'), 'utf8')).toBe('from the fixture\n')

  const again = await start(cwd, ['--fixture', 'fixture']).ended
  expect({ code: again.code, stderr: again.stderr.split('\n')[0] }).toEqual({ code: 2, stderr: `hermes: The run ${join(cwd, 'out')} is there already` })
  isMended = true
  const before = server.requests('m').length
  // A comment and what sets up the agent alone change no result.
  mkdirSync(join(cwd, '.hermes'), { recursive: true })
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), '# new\nsave_trajectories: false\n')
  const resumed = await start(cwd, ['--fixture', 'fixture', '--resume', '--json']).ended
  expect(resumed.stderr).toContain('Taken over: 2 of 3; run again: 1 (failed: MODEL_FAILED)')
  expect(JSON.parse(resumed.stdout)).toMatchObject({ prompts: 3, takenOver: 2, answered: 3, failed: 0 })
  expect(server.requests('m').slice(before).map(asked)).toEqual(['fail', 'fail'])
  expect(linesOf(join(cwd, 'out/trajectories.jsonl')).map(({ id }) => id).sort()).toEqual(['bad one', 'first', 'line 2'])
  expect(readdirSync(join(cwd, 'tmp'))).toEqual([])
})

it('goes on after a prompt whose command made a workspace too deep for a path, and removes it', async () => {
  const cwd = workplace(['one', 'deep', 'three'].map((prompt) => ({ prompt, id: prompt })))
  const deep = "const n = 'x'.repeat(200); for (let i = 0; i < 400; i++) { fs.mkdirSync(n); process.chdir(n) }"
  server.improvise('m', (request) => (
    asked(request) === 'deep' && isFirst(request) ? say('', ['execute_command', { command: `node -e "${deep}"` }]) : say('Done.')
  ))
  const { code, stdout, stderr } = await start(cwd, ['--sandbox', 'none', '--json']).ended
  expect({ code, stderr: stderr.replace(cwd, '') }).toEqual({ code: 0, stderr: 'Trajectories: /out/trajectories.jsonl\n' })
  expect(JSON.parse(stdout)).toMatchObject({ prompts: 3, answered: 3, failed: 0, notes: [], tools: { execute_command: { success: 1 } } })
  expect(readdirSync(join(cwd, 'tmp'))).toEqual([])
})

it('tells of a workspace that could not be removed, and counts its prompt as what came of it', () => {
  const statistics = noStatistics()
  const note = 'The workspace /tmp/x could not be removed (EBUSY)'
  addReport(statistics, { ...emptyPromptReport({ name: 'p', line: 1, content: 'x' }), reason: 'answer', note })
  expect(statistics).toMatchObject({ answered: 1, failed: 0, notes: [{ name: 'p', line: 1, note }] })
  expect(renderBatch(statistics, { colour: false })).toContain(`– p: ${note}\n`)
})

it('goes on after kill -9 of all its processes, and does each prompt once', async () => {
  const prompts = Array.from({ length: 8 }, (_, index) => ({ prompt: `prompt ${index}`, id: `p${index}` }))
  // The same text twice is two prompts.
  const cwd = workplace([...prompts, { prompt: 'prompt 0', id: 'p0 again' }])
  server.improvise('m', (request) => ({ ...say(`answer to ${asked(request)}`), pauseMs: asked(request) < 'prompt 4' ? 0 : 400 }))
  const first = start(cwd, ['--workers', '2'])
  const parts = join(cwd, 'out/parts')
  while (keptIn(cwd) < 4) await new Promise((resolve) => setTimeout(resolve, 20))
  first.child.kill('SIGKILL')
  await first.ended
  const finished = keptIn(cwd)
  // What a write was cut off in is no result.
  writeFileSync(join(parts, 'worker-1.jsonl'), '{"id":"cut', { flag: 'a' })
  server.improvise('m', (request) => say(`answer to ${asked(request)}`))
  const before = server.requests('m').length
  const { code, stdout, stderr } = await start(cwd, ['--workers', '2', '--resume']).ended
  expect({ code, stdout, stderr: stderr.split('\n')[0] }).toEqual({ code: 0, stdout: expect.not.stringContaining('✗'), stderr: `Taken over: ${finished} of 9` })
  expect(server.requests('m').length - before).toBe(9 - finished)
  const kept = linesOf(join(cwd, 'out/trajectories.jsonl'))
  expect(kept.map(({ conversations }) => (conversations as { value: string }[]).at(-1)?.value).sort()).toEqual(
    [...prompts, { prompt: 'prompt 0' }].map(({ prompt }) => `answer to ${prompt}`).sort(),
  )
})

it('stops at Ctrl-C, keeps what is done, and draws for each prompt the same toolsets when it goes on', async () => {
  const cwd = workplace(Array.from({ length: 6 }, (_, index) => ({ prompt: `prompt ${index}` })))
  const drawn = new Map<string, Set<string>>()
  const note = (request: ModelRequest): void => {
    const tools = JSON.stringify(request.tools?.map(({ function: { name } }) => name).toSorted())
    drawn.set(asked(request), (drawn.get(asked(request)) ?? new Set()).add(tools))
  }
  const hung = new Set<string>()
  const bothHang = new Promise<void>((resolve) => server.improvise('m', (request) => {
    note(request)
    if (asked(request) < 'prompt 2') return say('done')
    if (hung.add(asked(request)).size === 2) resolve()
    return { ...say('And so'), fault: 'hang' }
  }))
  const flags = ['--workers', '2', '--batch-size', '1', '--toolset-distribution', 'vocabularies', '--seed', '7']
  const first = start(cwd, flags)
  await bothHang
  await expect.poll(() => keptIn(cwd)).toBe(2)
  process.kill(-(first.child.pid ?? 0), 'SIGINT')
  const { code, stderr } = await first.ended
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted. What is done is kept; the same command with --resume goes on.\n' })
  expect(existsSync(join(cwd, 'out/trajectories.jsonl'))).toBe(false)
  expect(readdirSync(join(cwd, 'tmp'))).toEqual([])
  server.improvise('m', (request) => {
    note(request)
    return say('done')
  })
  const resumed = await start(cwd, [...flags, '--resume', '--json']).ended
  expect(JSON.parse(resumed.stdout)).toMatchObject({ prompts: 6, takenOver: 2, answered: 6, failed: 0 })
  expect([...drawn.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1])
  expect(new Set([...drawn.values()].flatMap((tools) => [...tools])).size).toBeGreaterThan(1)
})

it('stops at the first prompt whose key is refused, keeps what is done, and goes on with a key', async () => {
  const cwd = workplace([
    { prompt: 'first' }, { prompt: 'flagged' }, ...Array.from({ length: 6 }, (_, index) => ({ prompt: `later ${index}` })),
  ])
  server.improvise('m', (request) => {
    if (asked(request) === 'first') return say('done')
    if (asked(request) === 'flagged') return { ...say('Your input was flagged'), status: 403 }
    return { ...say('Incorrect API key provided'), status: 401 }
  })
  const before = server.requests('m').length
  const { code, stdout, stderr } = await start(cwd, []).ended
  expect({ code, stdout, stderr }).toEqual({
    code: 2, stdout: '', stderr: "hermes: line 3: The model's server failed: 401 Incorrect API key provided\n"
      + `  Every prompt would fail so. Check the API key, and that it belongs to ${server.url}; then the same command with --resume goes on.\n`,
  })
  expect(server.requests('m').length - before).toBe(3)
  server.improvise('m', () => say('done'))
  const resumed = await start(cwd, ['--resume', '--workers', '2', '--json']).ended
  expect(resumed.stderr).toContain('Taken over: 1 of 8; run again: 1 (failed: MODEL_FAILED)')
  expect(JSON.parse(resumed.stdout)).toMatchObject({ prompts: 8, takenOver: 1, answered: 8, failed: 0 })

  const others = workplace(Array.from({ length: 12 }, (_, index) => ({ prompt: `p${index}` })))
  server.improvise('m', () => ({ ...say('No access'), status: 403 }))
  const refused = await start(others, ['--workers', '2', '--json']).ended
  expect(refused.code).toBe(2)
  expect(JSON.parse(refused.stdout)).toMatchObject({ success: false, code: 'MODEL_FAILED', error: expect.stringMatching(/^line \d: .*403 No access$/) })
  expect(readdirSync(join(others, 'out/parts'))).toEqual([])
})

it('counts a prompt that ended in a loop, and keeps the reason', async () => {
  const cwd = workplace([{ prompt: 'loop', id: 'l' }])
  server.improvise('m', () => say('', ['list_directory', { path: '.' }]))
  const { code, stdout } = await start(cwd, []).ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 stopped before an answer (1 in a loop)') })
  expect(linesOf(join(cwd, 'out/parts/worker-1.jsonl'))).toMatchObject([{ report: { name: 'l', reason: 'loop', counts: { turns: 5 } } }])
  expect(JSON.parse(readFileSync(join(cwd, 'out/statistics.json'), 'utf8'))).toMatchObject({ stopped: 1, stoppedBy: { loop: 1 } })
})

describe('a batch whose results do not count any more', () => {
  const PROMPTS = ['one', 'two', 'three'].map((prompt) => ({ prompt, id: prompt }))

  /** Three prompts answered; then the model of one is another, and the text of one. */
  async function changed(): Promise<{ cwd: string; asked: () => number }> {
    const cwd = workplace(PROMPTS)
    server.improvise('m', (request) => say(`m: ${asked(request)}`))
    server.improvise('other', (request) => say(`other: ${asked(request)}`))
    expect((await start(cwd, []).ended).code).toBe(0)
    const [one, two, three] = PROMPTS
    writeFileSync(join(cwd, 'prompts.jsonl'), [one, { ...two, model: 'other' }, { ...three, prompt: '3' }].map((each) => `${JSON.stringify(each)}\n`).join(''))
    const before = server.requests('m').length + server.requests('other').length
    return { cwd, asked: () => server.requests('m').length + server.requests('other').length - before }
  }
  const told = ['another model: 1 (two)', 'another prompt: 1 (three)']

  it('stops where nobody can be asked, says what it would pay for again, and goes on with --yes', async () => {
    const { cwd, asked: count } = await changed()
    const stopped = await start(cwd, ['--resume']).ended
    expect(stopped).toEqual({
      code: 2, stdout: '', stderr: `hermes: 2 prompts with a result would be run and paid for again, and there is nobody to ask: ${told.join('; ')}\n`
        + '  Nothing was run. --yes runs them again (and approves what asks for it); with the settings and prompts as they were, what is there is kept; '
        + 'another --out begins anew.\n',
    })
    expect([count(), keptIn(cwd)]).toEqual([0, 3])
    const resumed = await start(cwd, ['--resume', '--yes', '--json']).ended
    expect(resumed.stderr.split('\n').slice(0, 3)).toEqual(['2 prompts with a result would be run and paid for again:', ...told.map((line) => `  ${line}`)])
    expect(JSON.parse(resumed.stdout)).toMatchObject({ prompts: 3, takenOver: 1, answered: 3 })
    expect(count()).toBe(2)
    // What was run by then counts, with --yes and without.
    expect(JSON.parse((await start(cwd, ['--resume', '--json']).ended).stdout)).toMatchObject({ prompts: 3, takenOver: 3 })
  })

  describeWithTerminal('at a terminal', () => {
    it('asks', async () => {
      const { cwd, asked: count } = await changed()
      const open = () => openTerminal(process.execPath, [launcher, ...COMMAND, '--resume'], { cwd, env: environment(cwd) })
      const no = open()
      await no.waitFor('Run them? [y/N]')
      for (const line of told) expect(no.everything()).toContain(line)
      no.type('\r')
      expect([(await no.exited).exitCode, count()]).toEqual([2, 0])
      const yes = open()
      await yes.waitFor('Run them? [y/N]')
      yes.type('y\r')
      expect([(await yes.exited).exitCode, count()]).toEqual([0, 2])
    })
  })

  it('is not one whose results another version kept, nor one with new prompts between the others', async () => {
    const cwd = workplace(PROMPTS)
    server.improvise('m', (request) => say(`m: ${asked(request)}`))
    expect((await start(cwd, []).ended).code).toBe(0)
    const part = join(cwd, 'out/parts/worker-1.jsonl')
    const old = linesOf(part).map((entry) => ({ ...entry, settings: { ...entry['settings'] as object, hermes: 'older', yes: 'true' } }))
    writeFileSync(part, old.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    const more = [{ prompt: 'new' }, ...PROMPTS.map(({ prompt }) => ({ prompt }))]
    writeFileSync(join(cwd, 'prompts.jsonl'), more.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const before = server.requests('m').length
    const resumed = await start(cwd, ['--resume', '--json']).ended
    expect(JSON.parse(resumed.stdout)).toMatchObject({ prompts: 4, takenOver: 3, answered: 4 })
    expect(server.requests('m').slice(before).map(asked)).toEqual(['new'])
  })
})
