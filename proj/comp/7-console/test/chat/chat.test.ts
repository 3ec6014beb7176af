import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { type FileTree, readTree, writeTree } from '../../../../test/support/file-tree.js'
import { readGoldens, type GoldenCase } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { describeWithTerminal, openTerminal } from '../../../../test/support/terminal.js'
import { readAnswer } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

/** Nothing runs: the line that says what it is at is gone. */
const IDLE = /^(?![^]*\n[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] )[^]*\n>/
const IDENTITY = {
  GIT_AUTHOR_NAME: 'u', GIT_AUTHOR_EMAIL: 'u@example.org', GIT_COMMITTER_NAME: 'u', GIT_COMMITTER_EMAIL: 'u@example.org',
}
const launcher = fileURLToPath(new URL('../../../../../dist/cli.cjs', import.meta.url))

interface Scene {
  columns?: number
  rows?: number
  args?: string[]
  before?: FileTree
  after?: FileTree
  exit?: number
  /** The root is a work tree; what is there `before` is in its first commit. */
  git?: boolean
  /** The terminal says that it understands no escape sequences: none may come. */
  isPlain?: boolean
  /** What a later message tells the model besides. */
  told?: string
  /** Subjects of the commits at the end, the last first. */
  log?: string[]
}

describeWithTerminal('hermes chat at a terminal', () => {
  const server = useModelServer()
  let plays = 0
  const files = ['screens', 'history'].map((name) => new URL(`../../test-data/chat/${name}.cases.md`, import.meta.url))
  for (const golden of files.flatMap((file) => readGoldens(file))) {
    it(golden.name, async () => {
      const home = tempDir()
      const root = join(home, 'p')
      mkdirSync(root)
      const { columns = 70, rows = 30, args = ['chat', '--no-git'], before = {}, after, exit, log, ...more } = scene(golden)
      writeTree(root, before)
      if (more.git === true) git(root, ['init', '-q'], ['add', '-A'], ['commit', '-q', '--allow-empty', '-m', 'start'])
      const model = `m${++plays}`
      server.play(model, golden.fences.filter(({ info }) => info.split(' ')[1] === 'answer').map(({ info, body }) => (
        readAnswer(info.replace(/^\w+ /, ''), body)
      )))
      const terminal = openTerminal(process.execPath, [launcher, ...args], {
        cwd: root, columns, rows,
        env: {
          ...plainEnvironment(), HOME: home, HERMES_MODEL: model, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x',
          ...(more.isPlain === true ? { TERM: 'dumb' } : { NO_COLOR: '1' }), ...IDENTITY,
        },
      })
      await terminal.waitFor(/^>/m)
      for (const { info, body } of golden.fences) {
        const [, kind] = info.split(' ')
        if (kind === 'types') terminal.type(JSON.parse(body) as string)
        else if (kind === 'writes') writeFileSync(join(root, info.split(' ')[2] ?? ''), `${body}\n`)
        else if (kind === 'waits') await terminal.waitFor(() => terminal.rows().includes(body))
        else if (kind === 'resizes') terminal.resize(...JSON.parse(body) as [number, number])
        else if (kind === 'screen') {
          // A row that is being drawn anew is not there for a moment.
          await terminal.waitFor(() => IDLE.test(terminal.rows()) && settled(terminal.rows(), model) === body).catch(
            () => undefined,
          )
          expect(settled(terminal.rows(), model)).toBe(body)
        }
      }
      if (exit !== undefined) expect((await terminal.exited).exitCode).toBe(exit)
      if (more.isPlain === true) expect(terminal.written()).not.toContain('\u001b')
      if (more.told !== undefined) {
        expect(server.requests(model).flatMap(({ messages }) => messages.map(({ content }) => content))).toContain(more.told)
      }
      if (log) expect(git(root, ['log', '--format=%s']).trimEnd().split('\n')).toEqual(log)
      if (after) expect(readTree(root)).toMatchObject(after)
      expect(statSync(join(home, '.hermes/sessions')).mode & 0o777).toBe(0o700)
    })
  }
})

/** @returns what the last call printed */
function git(cwd: string, ...calls: string[][]): string {
  return calls.map((args) => execFileSync('git', args, { cwd, env: { ...plainEnvironment(), ...IDENTITY } })).at(-1)
    ?.toString() ?? ''
}

function scene(golden: GoldenCase): Scene {
  return JSON.parse(golden.fences.find(({ info }) => info === 'json scene')?.body ?? '{}') as Scene
}

/** What is another each time or on another machine: ids, times, where it runs, how far the spinner has turned. */
function settled(text: string, model: string): string {
  return text.replaceAll(/\d{8}-\d{6}-[0-9a-f]{5}\n?[0-9a-f]/g, '<session>')
    .replaceAll(new RegExp(`^(Model(?: {4}|: ))${model}$`, 'gm'), '$1<model>').replaceAll(/\d+(?:\.\d)? s$/gm, '0 s')
    .replaceAll(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (.*?)(?: · 0 s)?$/gm, '⠋ $1')
    .replace(/^hermes \d.*$/m, 'hermes <version>').replaceAll(/as [0-9a-f]{12}:/g, 'as <commit>:')
    .replaceAll(/[0-9a-f]{7}(?=, \d+ file)/g, '<short>').replace(/^It runs:\n(?: {2}\| .*\n)+/m, 'It runs:\n  | <place>\n')
}
