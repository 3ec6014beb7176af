/** Commands that pages of docs/ show, as they are typed: all are held against the flags there are, and many are run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copySync } from 'fs-extra/esm'
import { marked } from 'marked'
import { expect, it } from 'vitest'
import { COMMANDS } from '../comp/8-cli/src/commands.js'
import { readArguments } from '../comp/8-cli/src/arguments.js'
import { plainEnvironment } from './support/cli.js'
import { tempDir } from './support/temp-dir.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))

interface Typed { page: string; line: string }

/** The lines of fences for a shell. */
const typed: Typed[] = pages.flatMap((page) => {
  const lines: string[] = []
  marked.walkTokens(marked.lexer(readFileSync(join(root, 'docs', page), 'utf8')), (token) => {
    if (token.type === 'code' && token['lang'] === 'sh') lines.push(...String(token['text']).split('\n'))
  })
  return lines.filter((line) => /\bhermes [a-z]/.test(line)).map((line) => ({ page, line }))
})

/** The words behind `hermes` in one command of a line, without quotes, redirections and comments. */
function wordsOf(line: string): string[][] {
  const commands = line.replace(/\s#.*$/, '').split(/\s*(?:&&|\||;|&$)\s*/)
  return commands.filter((one) => /^(?:npx )?hermes /.test(one)).map((one) => (
    (one.replace(/ [<>] ?\S+/g, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
      .slice(one.startsWith('npx') ? 2 : 1)
  ))
}

it.each(typed)('$page: $line', ({ line }) => {
  for (const [name, ...rest] of wordsOf(line)) {
    const command = COMMANDS.find((one) => one.name === name)
    expect(command, name).toBeDefined()
    expect(() => readArguments(rest, command!.flags, command!.maxPositionals)).not.toThrow()
  }
})

/** These want a clone, a model, a server, a terminal, or a page beside them; or go on until they are ended. */
const NOT_RUN = /hermes (?:checkout|setup|gateway|mcp|serve|watch|worker|review|cron run|replay|config set gateway|ext (?:list|run tidy)|apply .*--extension|tools show count|exec)|count_lines|^openssl|npm ci/
/** Of the tour, which other tests run. */
const elsewhere = new Set(['getting-started.md', 'replay.md', 'server.md', 'writing-a-verb.md'])

it('those that need nothing but an answer and a root do what they are shown for', () => {
  const lines = typed.filter(({ page, line }) => !elsewhere.has(page) && !NOT_RUN.test(line))
  expect(lines.length).toBeGreaterThan(15)
  const home = tempDir()
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  for (const example of ['extensions', 'project']) copySync(join(root, 'examples', example), join(cwd, 'examples', example))
  writeFileSync(join(cwd, 'README.md'), '# Work\n')
  const block = (path: string): string => `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path, content: 'x\n' } })}</tool_call>\n`
  writeFileSync(join(cwd, 'answer.md'), block('made.txt'))
  writeFileSync(join(cwd, 'checks.md'), block('checked.txt'))
  const script = lines.map(({ line }, index) => `{ ${line.replace(/\s#.*$/, '')}; } > out 2>&1 || { echo "${index}"; cat out; }`)
  const told = spawnSync('bash', ['-c', `hermes() { '${process.execPath}' '${join(root, 'dist/cli.cjs')}' "$@"; }\n${script.join('\n')}`], {
    cwd, encoding: 'utf8', env: { ...plainEnvironment(), HERMES_HOME: join(home, 'hermes') },
  })
  expect([told.stdout + told.stderr, told.status]).toEqual(['', 0])
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('x\n')
  expect(readFileSync(join(cwd, 'tidy-up/extension.py'), 'utf8')).toContain('tidy-up')
})
