import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../comp/8-cli/src/commands.js'
import { TOPICS } from '../comp/7-setup/src/help-texts/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'proj/doc/ARCH.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
/** Of git, npm and other programs, of hermes without a command, and a flag that there is not, as pages mention them. */
const OF_OTHERS = new Set(['global', 'omit', 'prefix', 'ff-only', 'version', 'disable-userns', 'silent', 'stdio', 'cc', 'interactive', 'tool-set',
  'require', 'max-old-space-size', 'to-command'])

function linksOf(page: string): string[] {
  const links: string[] = []
  marked.walkTokens(marked.lexer(textOf(page)), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']))
  })
  return links
}

describe.each(pages)('%s', (page) => {
  it('names no flag that there is not', () => {
    const known = new Set(COMMANDS.flatMap(({ flags }) => flags.map(({ name }) => name)))
    const named = [...textOf(page).matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, name = '']) => name)
    expect([...new Set(named)].filter((name) => !known.has(name) && !OF_OTHERS.has(name))).toEqual([])
  })
})

it('README.md leads to every page of docs', () => {
  const linked = new Set(linksOf('README.md').map((link) => link.split('#')[0]))
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).toEqual([])
})

it('every picture is shown somewhere, with words for it, and is small', () => {
  const pictures = readdirSync(join(root, 'docs', 'images')).map((name) => `images/${name}`)
  const shown = pages.map((page) => textOf(page)).join('\n')
  for (const picture of pictures) {
    expect(shown).toMatch(new RegExp(`!\\[.{10,}\\]\\((?:docs/)?${picture}\\)|<img src="${picture}" alt=".{10,}"`))
    expect(statSync(join(root, 'docs', picture)).size).toBeLessThan(150_000)
  }
  expect(pictures.length).toBeLessThanOrEqual(12)
})

it('docs/commands.md has every flag of every command', () => {
  const sections = textOf('docs/commands.md').split('\n## hermes ')
  for (const { name, flags } of COMMANDS) {
    const section = sections.find((one) => one.startsWith(`${name}\n`)) ?? ''
    for (const flag of flags) expect(section).toMatch(new RegExp(`^\\| \`(?:-\\w, )?--${flag.name}[ \`[]`, 'm'))
  }
})

it('every page of docs is a topic of hermes help, and every topic a page', () => {
  expect(TOPICS.map(({ page }) => page).sort()).toEqual(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md').sort())
})

it('messages name pages by what an installed user has: hermes help TOPIC, of a topic or a command that there is', () => {
  const known = new Set([...TOPICS, ...COMMANDS].map(({ name }) => name))
  const sources = readdirSync(join(root, 'proj', 'comp'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/\\]+[/\\]src[/\\].*\.tsx?$/.test(file) && !file.endsWith('topics.ts'))
  const wrong = sources.flatMap((file) => (
    textOf(join('proj', 'comp', file)).split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line)).filter((line) => (
      /docs\/(?!new\/)[\w-]+\.md/.test(line) || [...line.matchAll(/hermes help ([a-z][a-z-]+)/g)].some(([, name = '']) => !known.has(name))
    )).map((line) => `${file}: ${line.trim()}`)
  ))
  expect(wrong).toEqual([])
})
