import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../comp/cli/src/commands.js'
import { TOPICS } from '../comp/cli/src/topics.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'proj/doc/ARCH.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
/** Of git, npm and other programs, of hermes without a command, and a flag that there is not, as pages mention them. */
const OF_OTHERS = new Set(['global', 'omit', 'prefix', 'ff-only', 'version', 'disable-userns', 'silent', 'cc', 'interactive', 'tool-set'])

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  return new Set([...textOf(page).replaceAll(/^(`{3,}|~{3,})[^]*?^\1/gm, '').matchAll(/^#{1,6} (.+)$/gm)]
    .map(([, heading = '']) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')))
}

function linksOf(page: string): string[] {
  const links: string[] = []
  marked.walkTokens(marked.lexer(textOf(page)), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']))
  })
  return links
}

describe.each(pages)('%s', (page) => {
  it('has links that lead somewhere', () => {
    const broken = linksOf(page).filter((link) => {
      if (/^(?:https?|mailto):/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : relative(root, join(root, dirname(page), path))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !(statSync(join(root, target)).isFile() && anchorsOf(target).has(anchor))
    })
    expect(broken).toEqual([])
  })

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

it('every page of docs has a topic, but for references of what help shows itself, and every topic a page', () => {
  const references = ['docs/commands.md', 'docs/codes.md']
  expect(TOPICS.map(({ page }) => page).sort()).toEqual(pages.filter((page) => page.startsWith('docs/') && !references.includes(page)).sort())
})

it('topics name only commands and flags that there are', () => {
  const flags = new Set(COMMANDS.flatMap(({ flags: all }) => all.map(({ name }) => name)))
  const names = new Set(COMMANDS.map(({ name }) => name))
  for (const { text } of TOPICS) {
    for (const [, name = ''] of text.matchAll(/--([a-z][a-z-]+)/g)) expect([name, flags.has(name)]).toEqual([name, true])
    for (const [, name = ''] of text.matchAll(/^hermes ([a-z][a-z-]*)/gm)) expect([name, names.has(name)]).toEqual([name, true])
  }
})
