import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { content, reads } from './support/conversations.js'
import { writeTree } from './support/file-tree.js'
import { needing } from './support/needs.js'
import { tempDir } from './support/temp-dir.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Step {
  name?: string
  uses?: string
  shell?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
const read = (path: string) => load(readFileSync(join(root, 'examples', 'ci', path), 'utf8')) as Record<string, never>
const action = read('action/action.yml') as unknown as { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } }
const workflow = read('workflow.yml') as unknown as { jobs: { replay: { steps: Step[] } } }

/** Runs a step as GitHub would, with the inputs of the action in its environment. */
function runStep(name: string, inputs: Record<string, string>, cwd: string) {
  const step = action.runs.steps.find((one) => one.name === name)
  const env = Object.entries(step?.env ?? {}).map(([key, value]) => [key, value.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '')])
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
    cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'), GITHUB_OUTPUT: join(cwd, 'output.txt'), ...Object.fromEntries(env) as object },
  })
}

needing('bubblewrap').it('the steps of the action replay transcripts, write the reports, and fail on a drift', () => {
  const cwd = tempDir()
  const good = runStep('Replay', { hermes: root, transcripts: join(root, 'examples', 'transcripts') }, cwd)
  // On a slow machine it says how far it is.
  expect([good.status, good.stderr.replace(/^so far: .*\n/gm, '')]).toEqual([0, ''])
  expect(good.stdout).toContain('9 transcripts · 17 same')
  expect(readFileSync(join(cwd, 'reports', 'replay.xml'), 'utf8')).toContain('failures="0"')
  expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toContain('# Replay: no drift')

  writeFileSync(join(cwd, 't.jsonl'), '{"conversations":[{"from":"gpt","value":"<tool_call>{\\"name\\":\\"ls\\"}</tool_call>"},{"from":"tool","value":"<tool_response>{\\"success\\":true,\\"data\\":[]}</tool_response>"}]}\n')
  const bad = runStep('Replay', { hermes: root, transcripts: 't.jsonl', workers: '1' }, cwd)
  expect(bad.status).toBe(1)
  expect(bad.stdout).toContain('::error file=t.jsonl,line=1,title=t.jsonl drifted::newly failing: ls (block 1, turn 1)')
})

it('the action says so where there is nothing to replay, and shows no report of a run before', () => {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'reports'))
  mkdirSync(join(cwd, 'empty'))
  for (const transcripts of ['missing', 'empty']) {
    writeFileSync(join(cwd, 'reports', 'replay.md'), 'of yesterday\n')
    writeFileSync(join(cwd, 'summary.md'), '')
    expect(runStep('Replay', { hermes: root, transcripts, workers: '1' }, cwd).status).toBe(1)
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/## Unreadable\n\n- `(?:missing|empty)`: `The(?:re is no such| folder has no)/)
  }
  expect(runStep('Replay', { hermes: root, transcripts: 'empty', workers: 'none' }, cwd).status).toBe(2)
  expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/\n# Replay: no report \(exit code 2\)\n$/)
  expect(readFileSync(join(cwd, 'output.txt'), 'utf8')).toBe('exit-code=1\ntranscripts=0\ndrifted=0\n'.repeat(2) + 'exit-code=2\n')
})

it('the action hands on what a replay starts from and how strict it is', () => {
  const cwd = tempDir()
  writeTree(cwd, { 'p/a': 'x', 't.jsonl': `${reads('a', content('x'))}\n`, 'u.jsonl': '{"conversations":[{"from":"gpt","value":"Only words."}]}\n' })
  const at = { hermes: root, workers: '1' }
  expect(runStep('Replay', { ...at, transcripts: 't.jsonl' }, cwd).status).toBe(1)
  expect(runStep('Replay', { ...at, transcripts: 't.jsonl', fixture: 'p' }, cwd).status).toBe(0)
  expect(runStep('Replay', { ...at, transcripts: 'u.jsonl' }, cwd).status).toBe(0)
  expect(runStep('Replay', { ...at, transcripts: 'u.jsonl', strict: 'true' }, cwd).status).toBe(1)
  expect(readFileSync(join(cwd, 'output.txt'), 'utf8')).toContain('exit-code=0\ntranscripts=1\ndrifted=0\n')
})

it('the workflow uses the action with inputs that it has', () => {
  const uses = workflow.jobs.replay.steps.filter(({ uses: used }) => used?.startsWith('./hermes/'))
  expect(uses.map(({ uses: used }) => used)).toEqual(['./hermes/examples/ci/action'])
  expect(existsSync(join(root, 'examples', 'ci', 'action', 'action.yml'))).toBe(true)
  for (const name of Object.keys(uses[0]?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name)
})
