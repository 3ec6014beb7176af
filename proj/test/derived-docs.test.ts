/** docs/commands.md, docs/troubleshooting.md and docs/dialects.md come from the code: UPDATE_DOCS=1 writes them. */
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS } from '../comp/8-cli/src/commands.js'
import { commandsPage } from '../comp/7-setup/src/help-texts/index.js'
import { EXPLAINED } from '../comp/7-setup/src/help-texts/explained-codes.js'
import { docsIndex } from '../comp/7-setup/src/help-texts/reference.js'
import { ALL_CODES } from '../comp/0-contracts/src/index.js'
import { Hermes } from '../comp/5-executor/src/executor/index.js'
import { actionFiles, runActions, withOutcomes } from './support/actions.js'
import { dialectsPage } from './support/dialects-page.js'
import { tempDir } from './support/temp-dir.js'

const HEAD = `# Troubleshooting

<!-- Derived from the explained codes; a test runs each example and fails when this page is stale (UPDATE_DOCS=1 writes it). Do not edit. -->

\`hermes doctor\` looks at the machine. Each failure has a code, and \`hermes help CODE\` shows what stands here. The examples are
answers that fail so in a directory, called \`/w\`, with a file \`a.txt\` of the lines \`one\` and \`two\`; where no answer alone
fails so, what to type (behind \`$\`), and what comes of it.

Where the first \`npx hermes\` in a clone was interrupted, every later one ends in \`npm error enoent Could not read package.json\`,
and names a folder \`_npx\`: \`rm -r "$(npm config get cache)/_npx"\` removes that, and the next call makes it anew.
`

/** What an answer fails with, the code asked for first. */
async function failuresOf(answer: string): Promise<{ code: string; error: string; hint: string | undefined }[]> {
  const root = tempDir()
  mkdirSync(join(root, 'sub', 'full'), { recursive: true })
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(root, 'b.txt'), 'same\nsame\n')
  writeFileSync(join(root, 'long.js'), 'const a = 1\nconst b = 2\nconst c = 3\nexport { a, b, c }\n')
  writeFileSync(join(root, 'data.bin'), Buffer.from([0xff, 0xfe, 0, 1, 2, 0xc3]))
  writeFileSync(join(root, 'big.log'), '')
  truncateSync(join(root, 'big.log'), 11 * 2 ** 20)
  symlinkSync('loop', join(root, 'loop'))
  const hermes = new Hermes({ root, rootAliases: ['/w'], policy: false, sandbox: 'none', gitCommit: false })
  const { results, parseErrors } = await hermes.execute(answer)
  const plain = (text: string): string => text.replaceAll(root, '/w')
  return [
    ...results.filter(({ success }) => !success).map(({ code = '', error = '', hint }) => ({ code, error: plain(error), hint: hint && plain(hint) })),
    ...parseErrors.map(({ error: { code, message, hint } }) => ({ code, error: plain(message), hint: hint && plain(hint) })),
  ]
}

function fenced(text: string, info: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${text}\n${fence}`
}

it('every code is explained, and no other', () => {
  expect(Object.keys(EXPLAINED).sort()).toEqual([...ALL_CODES].sort())
})

it('each example fails with its code, and docs/troubleshooting.md says what hermes says', async () => {
  const sections: string[] = []
  const wrong: string[] = []
  for (const code of ALL_CODES) {
    const { cause = '', fix = '', example, session } = EXPLAINED[code] ?? {}
    const parts = [`## ${code}`, `**Cause.** ${cause}`]
    if (example !== undefined) {
      const failures = await failuresOf(example)
      const found = failures.find((one) => one.code === code)
      if (!found) wrong.push(`${code}: ${JSON.stringify(failures)}`)
      parts.push('**Example.**', fenced(example, 'markdown'), fenced(`${found?.error ?? ''}  ${code}${found?.hint === undefined ? '' : `\nhint: ${found.hint}`}`, 'text'))
    }
    if (session !== undefined) parts.push('**Example.**', fenced(session, 'text'))
    sections.push([...parts, `**Fix.** ${fix}`].join('\n\n'))
  }
  expect(wrong).toEqual([])
  expectPage('troubleshooting.md', `${HEAD}\n${sections.join('\n\n')}\n`)
})

it('every code has one example, and those that are typed name commands and flags that there are', () => {
  const both = Object.entries(EXPLAINED).filter(([, { example, session }]) => (example === undefined) === (session === undefined))
  expect(both.map(([code]) => code)).toEqual([])
  const wrong: string[] = []
  for (const [code, { session = '' }] of Object.entries(EXPLAINED)) {
    for (const [line, name, rest = ''] of session.matchAll(/^\$.*?\bhermes ([a-z]\S*)(.*)$/gm)) {
      const flags = new Set(COMMANDS.find((command) => command.name === name)?.flags.map((flag) => flag.name))
      const unknown = [...rest.replace(/#.*/, '').matchAll(/ --([a-z-]+)/g)].map(([, flag = '']) => flag).filter((flag) => !flags.has(flag))
      if (flags.size === 0 || unknown.length > 0) wrong.push(`${code}: ${line}`)
    }
  }
  // The one that shows what is wrong.
  expect(wrong).toEqual(['INVALID_OPTION: $ hermes apply answer.md --tool-set core'])
})

it('docs/commands.md is made of the table of commands', () => {
  expectPage('commands.md', commandsPage(COMMANDS))
})

it('docs/README.md lists the topics of hermes help', () => {
  expectPage('README.md', docsIndex())
})

it('each action in the forms of models and harnesses is done as it asks, or told of, as test-data/actions and docs/dialects.md say', async () => {
  const actions = await runActions()
  const amiss = actions.flatMap(({ family, task, name, found }) => (
    Object.entries(found).filter(([, outcome]) => /silent|wrong/.test(outcome)).map(([way, outcome]) => `${family}, ${task}: ${name}, ${way}: ${outcome}`)))
  expect(amiss).toEqual([])
  for (const file of actionFiles()) expectFile(file, withOutcomes(file, actions))
  expectPage('dialects.md', dialectsPage(actions))
})

function expectPage(name: string, text: string): void {
  expectFile(new URL(`../../docs/${name}`, import.meta.url), text)
}

function expectFile(file: URL, text: string): void {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
}
