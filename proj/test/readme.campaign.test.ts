import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Tokens } from 'marked'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needing } from './support/needs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const fencesOf = (text: string): Tokens.Code[] => marked.lexer(text).filter((token): token is Tokens.Code => token.type === 'code')
const fences = fencesOf(readme)
/** Code of a page that uses a name, without its types. */
function codeOf(page: string, name: string): string {
  const found = fencesOf(readFileSync(join(root, page), 'utf8'))
    .find(({ lang = '', text }) => ['js', 'ts'].includes(lang) && text.includes(name))!
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext }
  return ts.transpileModule(found.text, { compilerOptions }).outputText
}
/** This command runs the present test. */
const THE_TESTS = 'npm ci && npm test'

/** These want a terminal or a model: they are only held against the help. */
const NEEDS_MODEL = /^npx hermes (?:setup|chat|batch)\b/

/** The project as a fresh clone has it: what git tracks or would track. */
function freshCopy(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-readme-'))
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(directory, file))
  }
  return directory
}

function runModule(cwd: string, code: string): string {
  writeFileSync(join(cwd, 'module.mjs'), code)
  const { stdout, stderr } = spawnSync(process.execPath, ['module.mjs'], { cwd, encoding: 'utf8' })
  return stdout + stderr
}

/** Replays recorded commands. */
const NEEDS_SANDBOX = 'npx hermes replay examples/transcripts'

/** What asks of verbs, without changing anything. */
const asking = fencesOf(readFileSync(join(root, 'docs/getting-started.md'), 'utf8'))
  .filter(({ lang, text }) => lang === 'sh' && text.includes('npx hermes tools '))
const commands = [...fences.filter(({ lang }) => lang === 'sh'), ...asking].flatMap(({ text }) => text.split('\n'))
let cwd = ''
beforeAll(() => {
  cwd = freshCopy()
})
afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 3 }))

function runCommand(command: string): { status: number | null; stdout: string; stderr: string } {
  const quietNpm = { npm_config_loglevel: 'error', npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
  return spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', ...quietNpm } })
}

it('the commands of the README, and the code of it and its pages, do what they show', () => {
  expect(commands).toEqual(expect.arrayContaining([THE_TESTS, NEEDS_SANDBOX]))
  const [shown, reply] = fences.filter(({ lang }) => lang === 'text').map(({ text }) => text)
  for (const command of commands.filter((each) => each !== THE_TESTS && each !== NEEDS_SANDBOX && !NEEDS_MODEL.test(each))) {
    const { status, stdout, stderr } = runCommand(command)
    // Two blocks of that answer are broken, and the arguments to validate are wrong.
    const fails = command.includes('broken-response') || command.includes('tools validate')
    expect(status, `${command}\n${stdout}${stderr}`).toBe(fails ? 1 : 0)
    if (command.startsWith('npm ci')) expect(stdout).toContain(shown!.replace(/ · [\d.]+ s$/, ''))
    if (command.includes('--reply')) expect(stdout).toBe(`${reply}\n`)
  }

  for (const command of commands.filter((each) => NEEDS_MODEL.test(each))) {
    const { stdout } = spawnSync('npx', ['hermes', 'help', command.split(' ')[2]!], { cwd, encoding: 'utf8' })
    for (const [flag] of command.matchAll(/ --?[a-z]+/g)) expect(stdout, command).toMatch(new RegExp(`^ .*${flag}\\b`, 'm'))
  }

  expect(runModule(cwd, codeOf('README.md', 'execute('))).toBe('true 1 \nabc file_write true  \n')
  expect(readFileSync(join(cwd, 'hello.txt'), 'utf8')).toBe('hello')
  expect(JSON.parse(runModule(cwd, codeOf('docs/library.md', 'VerbExecutor')))).toMatchObject({ succeeded: true, entries: expect.arrayContaining([{ name: 'README.md', isDirectory: false }]) })
  expect(runModule(cwd, codeOf('docs/writing-a-verb.md', 'defineVerb'))).toMatch(/^\{ words: \d+ \}\n$/)
  cpSync(join(root, 'test-data', 'extensions', 'answer.md'), join(cwd, 'answer.md'))
  const hosted = runModule(cwd, codeOf('docs/extensions.md', 'dialogueUi'))
  expect([hosted.includes('\ntidy (mend):\n@@ '), hosted.includes('\n-#! sham'), hosted.startsWith('tidy says: ')]).toEqual([true, true, true])
  for (const [name, sections] of [['two', '# A\na\n# B\n'], ['three', '# A\na\n# B\n# C d\n']] as const) writeFileSync(join(cwd, `${name}.md`), sections)
  const told = /prints:\n\n```text\n([^]*?)```/.exec(readFileSync(join(root, 'docs/writing-a-verb.md'), 'utf8'))?.[1]
  expect(runModule(cwd, codeOf('docs/writing-a-verb.md', 'notesSplit ='))).toBe(told)
  expect(readFileSync(join(cwd, 'notes', 'c-d.md'), 'utf8')).toBe('# C d\n')
}, 600_000)

needing('bubblewrap').it('the example transcripts replay as recorded', () => {
  // Where the commands before have installed it.
  const { status, stdout, stderr } = runCommand(NEEDS_SANDBOX)
  expect(status, `${stdout}${stderr}`).toBe(0)
})
