import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Token } from 'marked'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'proj/doc/ARCH.md', ...inDocs]

/** npm packs the README, the license and the manifest whatever `files` says. */
const ships = (path: string): boolean => (
  /^(?:package\.json|README\.md|LICENSE)$/.test(path) || files.some((entry) => path === entry || path.startsWith(`${entry.replace(/\/$/, '')}/`))
)

interface Page {
  /** Targets of links and pictures, those of HTML too. */
  targets: string[]
  /** As GitHub makes them of headings: a further one of the same words gets a number. */
  anchors: Set<string>
}

function readPage(path: string): Page {
  const targets: string[] = []
  const anchors = new Set<string>()
  const uses = new Map<string, number>()
  marked.walkTokens(marked.lexer(readFileSync(join(root, path), 'utf8')), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token['href']))
    if (token.type === 'html') targets.push(...[...token.raw.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, target = '']) => target))
    if (token.type !== 'heading') return
    const slug = plainText(token.tokens ?? []).trim().toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '').replaceAll(' ', '-')
    const used = uses.get(slug) ?? 0
    uses.set(slug, used + 1)
    anchors.add(used === 0 ? slug : `${slug}-${used}`)
  })
  return { targets, anchors }
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '')).join('')
}

/** Links to files, their paths from the root. */
function linksOf(page: string): { target: string; path: string; anchor: string | undefined }[] {
  return readPage(page).targets.filter((target) => !/^[a-z]+:/i.test(target)).map((target) => {
    const [path = '', anchor] = target.split('#')
    return { target, path: path === '' ? page : posix.join(dirname(page), decodeURI(path)), anchor }
  })
}

it.each(pages)('%s has links that lead somewhere', (page) => {
  const dead = linksOf(page).filter(({ path, anchor }) => {
    if (!existsSync(join(root, path))) return true
    return anchor !== undefined && !(statSync(join(root, path)).isFile() && readPage(path).anchors.has(anchor))
  })
  expect(dead.map(({ target }) => target)).toEqual([])
})

it.each(pages.filter(ships))('%s ships, and links only to what does too', (page) => {
  expect(linksOf(page).filter(({ path }) => !ships(path)).map(({ target }) => target)).toEqual([])
})

it('what people read ships, and ships no link of a clone', () => {
  expect(['docs/verbs.md', 'docs/images/apply.png', 'CHANGELOG.md', 'README.md', 'LICENSE', 'examples/response.md'].filter((path) => !ships(path))).toEqual([])
})

it('anchors are as on GitHub', () => {
  const { anchors } = readPage('docs/verbs.md')
  expect(anchors).toContain('sham-actions')
  expect(anchors).toContain('file_write')
})

const COMP = 'proj/comp'
const components = readdirSync(join(root, COMP))
const maps = [
  'CONTRIBUTING.md', 'xd5_ref.md', 'proj/doc/ARCH.md', ...components.map((name) => `${COMP}/${name}/doc/API.md`),
]
const SOURCE = /^[\w./-]+$/
/** A name in capitals stands for any. */
const ANY = /\/[A-Z]+(?:\/|$)/

/** Where a source may lie that a page names; `1-edits/engine` is a part of a component. */
function placesOf(named: string, page: string): string[] {
  const [first = '', ...rest] = named.split('/')
  if (first === 'proj') return [named]
  if (components.includes(first)) return [join(COMP, named), join(COMP, first, 'src', ...rest)]
  return first === 'src' && page.endsWith('/API.md') ? [join(dirname(page), '..', named)] : []
}

it.each(maps)('%s names no source that is not there', (page) => {
  const named: string[] = []
  marked.walkTokens(marked.lexer(readFileSync(join(root, page), 'utf8')), (token) => {
    if (token.type === 'codespan') named.push(String(token['text']))
  })
  const isGone = (name: string): boolean => {
    const places = placesOf(name, page)
    return places.length === 0 ? /\/src\/.*\.tsx?$/.test(name) : !places.some((place) => existsSync(join(root, place)))
  }
  expect(named.filter((name) => SOURCE.test(name) && !ANY.test(name) && isGone(name))).toEqual([])
})
