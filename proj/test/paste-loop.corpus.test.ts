import { expect, it } from 'vitest'
import { shamBlock } from '../comp/1-registry/src/registry/index.js'
import { Hermes } from '../comp/5-executor/src/index.js'
import { useCli } from './support/cli.js'
import { readTree, writeTree, type FileTree } from './support/file-tree.js'
import { tempDir } from './support/temp-dir.js'

/** Two mistakes, and tests that find them. */
const PROJECT: FileTree = {
  'sum.mjs': "/** Of all values. */\nexport function sum(values) {\n\treturn values.reduce((a, b) => a - b, 0) // from\u00a0left  \n}\n",
  'mean.mjs': "import { sum } from './sum.mjs'\n\nexport function mean(values) {\n\treturn sum(values) * values.length\n}\n",
  'test.mjs': [
    "import assert from 'node:assert/strict'", "import { it } from 'node:test'", "import { mean } from './mean.mjs'",
    "import { sum } from './sum.mjs'", '', "it('adds', () => assert.equal(sum([1, 2]), 3))",
    "it('halves', () => assert.equal(mean([1, 2]), 1.5))", '',
  ].join('\n'),
}
/** Nothing of the runner around it, which tells a runner within it to print for it. */
const TESTS = 'env -u NODE_TEST_CONTEXT -u NODE_OPTIONS node --test --test-reporter=tap test.mjs'

/** What the reply shows of a block: its lines without their mark. */
function shownOf(reply: string, verdict: string, id: string): string[] {
  const lines = reply.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`${verdict} block ${id} `))
  const own = lines.slice(from + 1)
  const to = own.findIndex((line) => !line.startsWith('    '))
  const shown = own.slice(0, to).filter((line) => line.startsWith('    | ')).map((line) => line.slice('    | '.length))
  if (from === -1 || shown.length === 0) throw new Error(`Nothing of block ${id} as ${verdict} in the reply:\n${reply}`)
  return shown
}

/** The one line that holds it: a model copies lines, so tabs have to be as they are in the file. */
function lineWith(lines: readonly string[], text: string): string {
  const [line, ...others] = lines.filter((each) => each.includes(text))
  if (line === undefined || others.length > 0) throw new Error(`Not one line with ${text} in:\n${lines.join('\n')}`)
  return line
}

const replacing = (id: string, path: string, old: string, by: string): string => (
  shamBlock(id, 'file_replace_text', { path, old_text: old, new_text: by })
)
const testing = (id: string): string => shamBlock(id, 'exec', { lang: 'bash', code: TESTS })

/** A model that sees nothing but replies. @returns the last of them */
async function playModel(paste: (answer: string) => Promise<string>): Promise<string> {
  const files = ['sum.mjs', 'mean.mjs', 'test.mjs']
  const read = await paste(files.map((path, index) => shamBlock(`re${index}`, 'file_read', { path })).join('\n'))
  const subtracts = lineWith(shownOf(read, 'DONE', 're0'), 'a - b')
  const multiplies = lineWith(shownOf(read, 'DONE', 're1'), '* values.length')
  // It takes the wrong one of two ways.
  const divides = multiplies.replace('*', '%')
  const tested = await paste([
    replacing('ed0', 'sum.mjs', subtracts, subtracts.replace('-', '+')),
    replacing('ed1', 'mean.mjs', multiplies, divides), testing('run'),
  ].join('\n'))
  const failing = shownOf(tested, 'FAILED', 'run')
  expect(failing.filter((line) => /^\s*not ok \d+ - (?:adds|halves)/.test(line))).toEqual(['not ok 2 - halves'])
  const expected = /expected: (\S+)/.exec(lineWith(failing, 'expected: '))?.[1]
  const actual = /actual: (\S+)/.exec(lineWith(failing, 'actual: '))?.[1]
  const mended = Number(expected) === 3 / 2 && Number(actual) === 3 % 2 ? divides.replace('%', '/') : divides
  return paste([
    replacing('ed2', 'mean.mjs', divides, mended), shamBlock('re3', 'file_read', { path: 'test.mjs' }), testing('run2'),
  ].join('\n'))
}

const DONE: FileTree = {
  ...PROJECT,
  'sum.mjs': PROJECT['sum.mjs']?.replace('a - b', 'a + b') ?? '',
  'mean.mjs': PROJECT['mean.mjs']?.replace('* values', '/ values') ?? '',
}

it.skipIf(process.platform === 'win32')('a model that sees only replies reads, edits, tests, sees what fails, mends it', async () => {
  const root = tempDir()
  writeTree(root, PROJECT)
  await using hermes = new Hermes({ root, policy: false, sandbox: 'none', gitCommit: false, relativePaths: true })
  const last = await playModel(async (text) => (await hermes.execute(text)).reply())
  expect(readTree(root)).toEqual(DONE)
  expect(shownOf(last, 'DONE', 'run2')).toContain('# pass 2')
  expect(last).toMatch(/^DONE block re3 .*\n {4}unchanged since you read it$/m)
})

/** The call that a reply names where it left lines out, as a block that a model writes of it. */
function readOnOf(reply: string, id: string): { block: string; at: number } | undefined {
  const own = reply.split('\n').filter((line) => /^ {4}(?:\||\[)/.test(line))
  const at = own.findIndex((line) => line.startsWith('    [Lines '))
  if (at < 0) return undefined
  const [, verb = '', written = ''] = /To read on: (\S+) (.*)\]$/.exec(own[at] ?? '') ?? []
  const params = written.startsWith('{') ? JSON.parse(written) as Record<string, unknown>
    : Object.fromEntries([...written.matchAll(/(\w+) = ("(?:[^"\\]|\\.)*")/g)].map(([, name, value = '']) => (
      [name, JSON.parse(value)]
    )))
  return { block: verb.includes('_numbered') ? shamBlock(id, verb, params) : jsonCall(verb, params), at }
}

function jsonCall(verb: string, params: Record<string, unknown>): string {
  return `\`\`\`json hermes\n${JSON.stringify({ verb, arguments: params })}\n\`\`\``
}

it.each(['file_read', 'fs.readFile', 'read_file'])('a model reads on to the end by the calls that replies to %s name', async (verb) => {
  const root = tempDir()
  const lines = Array.from({ length: 900 }, (_, index) => `\tline ${index + 1} of it: ${'ab '.repeat(index % 9)}é`)
  writeTree(root, { 'long "text".md': `${lines.join('\n')}\n` })
  await using hermes = new Hermes({ root, policy: false, sandbox: 'none', gitCommit: false, relativePaths: true })
  const read: string[] = []
  const end: string[] = []
  let block: string | undefined = jsonCall(verb, { path: 'long "text".md' })
  let turns = 0
  for (; block !== undefined && turns < 40; turns++) {
    const reply: string = (await hermes.execute(block)).reply({ tokens: 2000 })
    const shown = reply.split('\n').filter((line) => line.startsWith('    | '))
      .map((line) => line.slice('    | '.length).replace(/^ *\d+: /, ''))
    const next = readOnOf(reply, `rd${turns}`)
    read.push(...shown.slice(0, next?.at))
    end.unshift(...(next === undefined ? [] : shown.slice(next.at)))
    block = next?.block
  }
  expect([...read, ...end]).toEqual(lines)
  expect(turns).toBeLessThan(20)
})

it.skipIf(process.platform === 'win32')('what a command printed beyond the bound is in the file that the reply names', async () => {
  await using hermes = new Hermes({ root: tempDir(), policy: false, sandbox: 'none', gitCommit: false })
  const run = await hermes.execute(shamBlock('run', 'exec', { lang: 'bash', code: 'seq 1 3000' }))
  const path = JSON.parse(/All of it: file_read path = (".*")\]$/m.exec(run.reply({ tokens: 500 }))?.[1] ?? '""') as string
  const read = await hermes.execute(shamBlock('rd', 'file_read', { path }))
  expect(shownOf(read.reply({ tokens: 32_000 }), 'DONE', 'rd').filter((line) => /^ +1[5-7]00$/.test(line))).toHaveLength(3)
})

const cli = useCli()

it.skipIf(process.platform === 'win32')('so does one whose answers are pasted into apply --reply', async () => {
  const root = tempDir()
  writeTree(root, PROJECT)
  const last = await playModel(async (input) => {
    const args = ['apply', '--reply', '--relative-paths', '--sandbox', 'none', '--no-git']
    return (await cli.run(args, { cwd: root, input })).stdout
  })
  expect(readTree(root)).toEqual(DONE)
  expect(shownOf(last, 'DONE', 'run2')).toContain('# pass 2')
})
