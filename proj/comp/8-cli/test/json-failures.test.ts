import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../test/support/bundle.js'
import { plainEnvironment } from '../../../test/support/cli.js'
import { acquireRootLock, type LockFile } from '../../2-files/src/locks/index.js'
import { COMMANDS } from '../src/commands.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'
import type { ManyRun } from './run-many.js'

/** What `run-many` puts between what two runs print. */
const BETWEEN = '\u001e'

interface Row {
  line: string
  place: string
  code: string
  exit: number
}

/** The table, with `*` written out. */
function rows(): Row[] {
  const page = readFileSync(new URL('../test-data/json-failures.md', import.meta.url), 'utf8')
  return [...page.matchAll(/^\| `(.+)` \| ([\w ]+) \| (\w+) \| (\d) \|$/gm)].flatMap(([, line = '', place = '', code = '', exit]) => {
    const row = { line, place, code, exit: Number(exit) }
    if (!line.includes('*')) return [row]
    const flag = /--(root|allow)/.exec(line)?.[1]
    return COMMANDS.filter(({ flags, maxPositionals }) => flags.some(({ name }) => name === 'json')
      && (flag === undefined || flags.some(({ name }) => name === flag)) && (!line.includes('five') || maxPositionals < 5))
      .map(({ name }) => ({ ...row, line: line.replace('*', name) }))
  })
}

const CASES = rows()
const places: Record<string, string> = {}
const homes: Record<string, string> = {}
const made: string[] = []
let lock: LockFile | undefined

beforeAll(async () => {
  for (const place of ['project', 'locked', 'broken policy', 'broken settings']) {
    const directory = newDirectory()
    places[place] = directory
    homes[place] = newDirectory()
    mkdirSync(join(directory, 'folder'))
    writeFileSync(join(directory, 'answer.md'), shamBlock('abc', 'file_write', { path: join(directory, 'a.txt'), content: 'a' }))
    writeFileSync(join(directory, 'binary.md'), 'a\0b')
    writeFileSync(join(directory, 'file.txt'), 'text')
  }
  writeFileSync(join(places['broken policy'] ?? '', 'hermes.yaml'), 'verbs: {exec: maybe}\n')
  writeFileSync(join(homes['broken settings'] ?? '', 'config.yaml'), 'max_turns: many\n')
  lock = await acquireRootLock(places['locked'] ?? '', 'another-run', 0, new AbortController().signal)
})
afterAll(() => {
  lock?.release()
  for (const directory of made) removeSync(directory)
})

function newDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-json-')))
  made.push(directory)
  return directory
}

/** What each prints on standard output, and its exit code. */
async function runAll(lines: readonly { args: readonly string[]; place: string }[]): Promise<{ stdout: string; exit: number }[]> {
  const directory = newDirectory()
  mkdirSync(join(directory, 'bin'))
  writeFileSync(join(directory, 'package.json'), '{"version": "0.0.0", "type": "module"}')
  const program = await bundleForNode(fileURLToPath(new URL('run-many.ts', import.meta.url)), join(directory, 'bin'))
  const runs: ManyRun[] = lines.map(({ args, place }) => {
    const cwd = places[place] ?? ''
    const home = homes[place] ?? ''
    return { args, cwd, env: { HERMES_HOME: home, HOME: home } }
  })
  writeFileSync(join(directory, 'runs.json'), JSON.stringify(runs))
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, join(directory, 'runs.json')], {
    cwd: directory, env: plainEnvironment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, input: '',
    timeout: 200_000,
  })
  expect(status, stderr).toBe(0)
  const pieces = stdout.split(BETWEEN)
  return lines.map((_, at) => ({ stdout: pieces[2 * at] ?? '', exit: Number(pieces[2 * at + 1]) }))
}

function words(line: string): string[] {
  return line.replace(/^… /, '').split(' ')
}

function withJson(line: string): string[] {
  const [command = '', ...rest] = words(line)
  if (line.startsWith('… ')) return [command, ...rest, '--json']
  return [command, '--json', ...rest]
}

describe('--json, where a command fails', () => {
  const told: { document: string; exit: number; plainExit: number }[] = []
  beforeAll(async () => {
    const both = CASES.flatMap(({ line, place }) => [{ args: withJson(line), place }, { args: words(line), place }])
    const ran = await runAll(both)
    CASES.forEach((_, at) => told.push({
      document: ran[2 * at]?.stdout ?? '', exit: ran[2 * at]?.exit ?? NaN, plainExit: ran[2 * at + 1]?.exit ?? NaN,
    }))
  })

  it('is tried with every command that takes it', () => {
    const tried = new Set(CASES.map(({ line }) => words(line)[0]))
    expect(COMMANDS.filter(({ flags, name }) => flags.some((flag) => flag.name === 'json') && !tried.has(name))).toEqual([])
  })

  it.each(CASES.map((one, at) => ({ ...one, at })))('$line in $place: $code, exit $exit', ({ at, code, exit }) => {
    const { document, exit: withIt, plainExit } = told[at] ?? { document: '', exit: NaN, plainExit: NaN }
    expect(JSON.parse(document)).toMatchObject({ success: false, code, error: expect.stringMatching(/./), hint: expect.stringMatching(/./) })
    expect([withIt, plainExit]).toEqual([exit, exit])
  })
})

it('--json with --help, and where a command prints words otherwise, prints a document too', async () => {
  const lines = [
    ...COMMANDS.filter(({ flags }) => flags.some(({ name }) => name === 'json')).map(({ name }) => [name, '--json', '--help']),
    ['replay', '--json', '--show-mapping', 'common'], ['cron', 'add', '--json', '--name', 'one', '0 0 1 1 *', 'hello'], ['cron', 'remove', '--json', 'one'],
  ]
  const ran = await runAll(lines.map((args) => ({ args, place: 'project' })))
  for (const [at, { stdout, exit }] of ran.entries()) {
    expect([lines[at], exit, typeof JSON.parse(stdout)]).toEqual([lines[at], 0, 'object'])
  }
})
