import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { renderMarkdown } from '../../src/help-texts/markdown-text.js'
import { topicPage } from '../../src/help-texts/topic-page.js'
import { TOPICS } from '../../src/help-texts/topics.js'

const packageFile = new URL('../../../../../package.json', import.meta.url)
const goldens = readGoldens(fileURLToPath(new URL('../../test-data/help-texts/help-pages.cases.md', import.meta.url)))

it.each(goldens)('$name', ({ fences: [markdown, expected] }) => {
  expect(renderMarkdown(markdown?.body ?? '', 40)).toBe(`${expected?.body}\n`)
})

describe.each(TOPICS)('hermes help $name', (topic) => {
  const source = readFileSync(new URL(topic.page, packageFile), 'utf8')
  const text = topicPage(topic, packageFile).text(80)

  it('keeps every word, and every line of code', () => {
    const words = (from: string): string[] => from.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
    const shown = new Set(words(text))
    const hidden = source.replaceAll(/<!--[^]*?-->|\]\([^)]*\)|<img [^>]*>|^ *`{3,}.*$/gm, '')
    expect(words(hidden).filter((word) => !shown.has(word))).toEqual([])
    const missing: string[] = []
    marked.walkTokens(marked.lexer(source), (token) => {
      if (token.type !== 'code') return
      const lines = String(token['text']).split('\n').filter((line) => line.trim() !== '')
      missing.push(...lines.filter((line) => !text.includes(`\n    ${line}\n`)))
    })
    expect(missing).toEqual([])
  })

  it('is the same as Markdown without links and comments', () => {
    const { markdown } = topicPage(topic, packageFile)
    const wrong: string[] = []
    marked.walkTokens(marked.lexer(markdown), (token) => {
      if (token.type === 'link' ? !/^https?:/.test(String(token['href'])) : token.type === 'image' || token.raw.startsWith('<!--')) wrong.push(token.raw)
    })
    expect(wrong).toEqual([])
    expect(renderMarkdown(markdown, 80)).toBe(renderMarkdown(source, 80))
  })

  it('has no target of a link in the package, and no line of prose that is wider than the screen', () => {
    const wide = text.split('\n').filter((line) => line.length > 80 && /\S\s+\S/.test(line) && !source.includes(line.slice(4)))
    expect(wide).toEqual([])
    expect(text.split('\n').filter((line) => /\]\((?!http)/.test(line) && !source.includes(line.slice(4)))).toEqual([])
  })
})

it('says what is wrong where the package has lost its pages', () => {
  const elsewhere = new URL('test-data/package.json', packageFile)
  expect(() => topicPage(TOPICS[0]!, elsewhere)).toThrow(expect.objectContaining({ code: 'NOT_INSTALLED' }))
})
