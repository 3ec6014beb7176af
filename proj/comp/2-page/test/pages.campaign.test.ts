import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithChromium, seriousFindings } from '../../../test/support/chromium.js'
import { type PageItem, type PageModel, renderReportPage } from '../src/index.js'
import { runPage } from './run-page.js'

const ANSWER = readFileSync(new URL('../test-data/answer.md', import.meta.url), 'utf8')
const FILES = { 'src/greet.ts': "export function greet(name: string): string {\n  return 'Hello, ' + name\n}\n" }

const PROSE = readFileSync(new URL('../test-data/prose/answer-with-prose.md', import.meta.url), 'utf8')

async function proseModel(): Promise<PageModel> {
  const root = realpathSync(mkdtempSync(join(directory, 'prose-')))
  return runPage(root, PROSE, FILES)
}

let directory = ''
let model: PageModel
beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-page-')))
  model = await runPage(directory, ANSWER, FILES)
})
afterAll(() => removeSync(directory))

describeWithChromium('the report page', (chromium) => {
  let count = 0
  async function open(shown: PageModel, options: Parameters<typeof chromium.page>[0] = {}): Promise<Page> {
    const file = join(directory, `page-${count++}.html`)
    writeFileSync(file, renderReportPage(shown))
    const page = await chromium.page(options)
    await page.goto(`file://${file}`)
    await page.waitForSelector('h1')
    return page
  }

  it('shows each block, in text order, with what became of it', async () => {
    const page = await open(model)
    expect(await page.title()).toBe('3 of 5 blocks succeeded · hermes')
    expect(await page.locator('h1').innerText()).toBe('3 of 5 blocks succeeded')
    const states = await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-state')))
    expect(states).toEqual(['succeeded', 'succeeded', 'succeeded', 'failed', 'unparsed', 'skipped'])
    const edit = page.locator('.card').first()
    expect(await edit.locator('.side tr').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining("return 'Hello, ' + name")]))
    expect(await edit.locator('del .tok-keyword').first().innerText()).toBe('return')
    expect(await page.locator('.ansi-green.ansi-bold').innerText()).toBe('✓')
    expect(await page.locator('.card-failed .hint').innerText()).toContain('Most alike: line')
    expect(await page.locator('.card-skipped').innerText()).toContain('in a fence of language text')
  })

  it.each(['light', 'dark'] as const)('has no serious finding of axe, %s', async (colorScheme) => {
    const page = await open(model, { colorScheme })
    for (const view of ['blocks', 'answer', 'keys']) {
      if (view === 'answer') await page.keyboard.press('a')
      if (view === 'keys') await page.keyboard.press('?')
      expect(await seriousFindings(page), view).toEqual([])
    }
  })

  it('is used by keys alone', async () => {
    const page = await open(model)
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.closest('.card')?.dataset.key ?? document.activeElement.type")
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('b1')
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('b2')
    await page.keyboard.press('k')
    await expect.poll(focused).toBe('b1')
    const toggle = page.locator('#card-b1 .card-toggle')
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Enter')
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('n')
    await expect.poll(focused).toBe('b4')
    await page.keyboard.press('/')
    expect(await focused()).toBe('search')
    await page.keyboard.type('trims names')
    await expect.poll(() => page.locator('.card').count()).toBe(1)
    expect(await page.getByRole('status').innerText()).toBe('1 of 6 cards have it')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('b3')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.card').count()).toBe(6)
    await page.keyboard.press('?')
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    await page.keyboard.press('d')
    await expect.poll(() => page.locator('#card-b1 table, #card-b2 table.inline').count()).toBe(1)
  })

  it('marks in the answer what ran, what failed, and what is a quote', async () => {
    const page = await open(model)
    await page.locator('#card-b4 .meta .link').click()
    const { startLine = 0 } = model.items.find(({ key }) => key === 'b4') ?? {}
    await expect.poll(() => page.locator('.answer-line.target').getAttribute('data-n')).toBe(String(startLine))
    expect(await page.locator('.answer-line.target').getAttribute('class')).toContain('span-failed')
    const skipped = model.items.find(({ state }) => state === 'skipped')
    expect(await page.locator('.answer-line.span-skipped').count()).toBe((skipped?.endLine ?? 0) - (skipped?.startLine ?? 0) + 1)
    expect(await page.locator('.span-head').count()).toBe(6)
    await page.locator('.span-head.span-skipped button').click()
    await page.locator('#card-s1').waitFor()
  })

  it.each([['light', 1280], ['dark', 320]] as const)('shows the prose of the answer as it reads, or as it was written: %s, %i pixels', async (colorScheme, width) => {
    const page = await open(await proseModel(), { colorScheme, viewport: { width, height: 800 } })
    await page.keyboard.press('a')
    const answer = page.locator('.answer')
    expect(await answer.locator('h3').allInnerTexts()).toEqual(['Make the greeting friendlier'])
    expect(await answer.locator('td').allInnerTexts()).toContain('Hello, Ann!')
    expect(await answer.locator('li', { hasText: 'languages' }).first().innerText()).toContain('more languages (javascript:alert(1))')
    expect(await answer.locator('a').evaluateAll((links) => links.map((link) => [link.getAttribute('href'), link.getAttribute('rel'), link.textContent])))
      .toEqual(['https://example.org/style', 'https://example.org/more'].map((address) => [address, 'noopener noreferrer nofollow', address]))
    expect(await answer.locator('img, b').count()).toBe(0)
    expect(await answer.innerText()).toContain('<b>French</b> picture: flag (https://example.org/fr.png)')
    expect(await answer.innerText()).toContain(String.raw`\u202eevil\u202c and over`)
    // Blocks are as they were written.
    expect(await answer.locator('.answer-line.span-succeeded').first().innerText()).toContain('#!SHAM [@three-char-SHA-256: ed1]')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('/')
    await page.keyboard.type('empty hello')
    expect(await page.getByRole('status').innerText()).toBe('0 lines have it')
    await page.locator('[type=search]').fill('must not run')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.answer-line.target').innerText()).toContain('An example that must not run:')
    await page.keyboard.press('Escape')
    await page.keyboard.press('w')
    await answer.locator('.line', { hasText: '# Make the greeting friendlier' }).waitFor()
    expect(await answer.locator('.markdown, a').count()).toBe(0)
    await answer.getByRole('button', { name: 'As written' }).click()
    await answer.locator('h3').waitFor()
  })

  it('shows the prose without scripts, with links to the blocks in their places', async () => {
    const page = await open(await proseModel(), { javaScriptEnabled: false, viewport: { width: 320, height: 700 } })
    const said = page.getByRole('region', { name: 'The answer' })
    expect(await said.locator('h3, h4, .in-place').allInnerTexts()).toEqual([
      'Make the greeting friendlier', expect.stringContaining('file_replace_text ed1'), 'What it looks like now', expect.stringContaining('Quoted block qqq'),
    ])
    expect(await said.locator('td').allInnerTexts()).toContain('Hello, Ann!')
    expect(await said.locator('img, b').count()).toBe(0)
    expect(await page.locator('.markdown a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(['https://example.org/style', 'https://example.org/more'])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  it('opens with a megabyte of prose', async () => {
    const answer = `${'Some **bold** words, and [a link](https://example.org).\n\n'.repeat(1000)}BLOCK\n`.repeat(18)
    const items = answer.split('\n').flatMap((line, at): PageItem[] => (line === 'BLOCK' ? [{
      key: `b${at}`, state: 'succeeded', action: 'exec', subject: '', startLine: at + 1, endLine: at + 1, changes: [],
    }] : []))
    const page = await open({ ...model, items, answer })
    await page.keyboard.press('a')
    await page.locator('.answer strong').first().waitFor()
    expect(await page.locator('.answer strong').count()).toBeLessThan(500)
  })

  it('runs nothing and hides nothing of a hostile answer', async () => {
    const nasty = [
      '</script><script>alert(1)</script>', '<img src=x onerror=alert(2)>', '[click](javascript:alert(3))', '<!--<script>', '\u202eevil\u202c \u0000\u001b[2J',
      '<h1>All 9 blocks succeeded</h1>', '{{constructor.constructor("alert(4)")()}}', '<style>*{display:none}</style>',
    ].join('\n')
    const long = 'x'.repeat(10_000_000)
    const item: PageItem = {
      key: 'b1', state: 'failed', blockId: nasty, action: nasty, subject: nasty, startLine: 1, endLine: 9, durationMs: 1, code: nasty, error: nasty, hint: nasty,
      output: { stdout: `${nasty}\n\u001b[31m${nasty}\n${long}`, stderr: nasty, exitCode: 1 }, result: { text: nasty, path: 'a.html' },
      changes: [{ kind: 'modify', path: nasty, added: 1, removed: 1, hunks: [{ oldStart: 1, newStart: 1, lines: nasty.split('\n').flatMap((line) => [`-${line}`, `+${line}!`]) }] }],
    }
    const shown: PageModel = {
      version: 1, title: nasty, answer: `${nasty}\n${long}`, items: [item],
      summary: { ...model.summary, total: 1, succeeded: 0, failed: 1, root: nasty, fatalError: nasty, warnings: [nasty] },
    }
    const page = await open(shown)
    expect(await page.locator('h1').allInnerTexts()).toEqual(['0 of 1 block succeeded'])
    expect(await page.locator('a, img, iframe, style ~ style, form').count()).toBe(0)
    expect(await page.locator('body script').count()).toBe(2)
    await page.keyboard.press('a')
    await page.locator('.answer-line').first().waitFor()
    expect(await page.locator('h1').count()).toBe(1)
    const bare = await open(shown, { javaScriptEnabled: false })
    expect(await bare.locator('h1').allInnerTexts()).toEqual(['0 of 1 block succeeded'])
    expect(await bare.locator('img, iframe, style ~ style, form, .static script, a:not([href^="#block-"])').count()).toBe(0)
    expect(await bare.locator('body').innerText()).not.toMatch(/[\u202e\u0000\u001b]/)
    const text = await page.locator('.answer').innerText()
    expect(text).toContain('</script><script>alert(1)</script>')
    expect(text).toContain(String.raw`\u202eevil\u202c \x00\x1b[2J`)
    expect(text).not.toMatch(/[\u202e\u0000\u001b]/)
    expect(text).toContain('more characters in this line')
    expect(text.length).toBeLessThan(20_000)
  })

  it('would tell of what its policy stops', async () => {
    const page = await open(model)
    await page.evaluate("document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.invalid/x.png' }))")
    await expect.poll(() => chromium.problems.join()).toContain('img-src')
    await page.evaluate("try { document.body.innerHTML = '<b>x</b>' } catch (error) { console.error(String(error)) }")
    await expect.poll(() => chromium.problems.join()).toContain('policy: require-trusted-types-for')
    chromium.problems.length = 0
  })

  it('is printed as a whole: every card open, in light colours, without what is pressed', async () => {
    const page = await open(model, { colorScheme: 'dark' })
    await page.keyboard.press('x')
    await expect.poll(() => page.locator('.card-body').count()).toBe(0)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect.poll(() => page.locator('.card-body').count()).toBe(6)
    expect(await page.locator('.toolbar').isVisible()).toBe(false)
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
    const pdf = await page.pdf()
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('finds what is folded or far down, and goes there', async () => {
    const items = Array.from({ length: 500 }, (_, index): PageItem => ({
      key: `b${index + 1}`, state: 'succeeded', blockId: `b${index + 1}`, action: 'exec', subject: `number ${index + 1}`, startLine: index + 1, endLine: index + 1,
      changes: [], output: { stdout: `${'line\n'.repeat(1000)}needle ${index === 432 ? 'here' : 'no'}\n${'line\n'.repeat(1000)}`, stderr: '', exitCode: 0 },
    }))
    const page = await open({ ...model, items, answer: items.map(({ key }) => key).join('\n') })
    expect(await page.locator('.card').count()).toBeLessThan(100)
    await page.keyboard.press('G')
    await expect.poll(() => page.evaluate("document.activeElement.closest('.card')?.dataset.key")).toBe('b500')
    await page.keyboard.press('/')
    await page.keyboard.type('Needle HERE')
    await expect.poll(() => page.locator('.card').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.locator('#card-b433 .more').click()
    await expect.poll(() => page.locator('#card-b433 .part').count()).toBeGreaterThan(5)
  })

  it.each(['light', 'dark'] as const)('is read whole without scripts, by file and by block, %s', async (colorScheme) => {
    const page = await open(model, { javaScriptEnabled: false, colorScheme, viewport: { width: 390, height: 844 } })
    expect(await page.locator('h1').allInnerTexts()).toEqual(['3 of 5 blocks succeeded'])
    const blocks = page.getByRole('navigation', { name: 'By block' })
    expect(await blocks.getByRole('listitem').count()).toBe(model.items.length)
    const ofFile = page.getByRole('navigation', { name: 'By file' }).locator('ul > li', { hasText: 'src/greet.ts' })
    expect(await ofFile.first().locator('li').count()).toBe(model.items.filter(({ changes, file: named }) => named === 'src/greet.ts' || changes.some(({ path }) => path === 'src/greet.ts')).length)
    await blocks.getByRole('link').last().click()
    expect(page.url()).toContain('#block-s1')
    expect(await page.locator('#block-s1').innerText()).toContain('in a fence of language text')
    expect(await page.locator('#block-b1 del').first().innerText()).toContain("return 'Hello, ' + name")
    expect(await page.locator('.card-failed .hint').innerText()).toContain('Most alike: line')
    expect(await page.locator('.ansi-green.ansi-bold').innerText()).toBe('✓')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    // axe needs timers, which need scripts: the same markup, without the script that would draw over it.
    const file = join(directory, `bare-${colorScheme}.html`)
    writeFileSync(file, renderReportPage(model).replace(/<\/?noscript>/g, '').replace(/<script[^]*<\/script>/, ''))
    const bare = await chromium.page({ colorScheme })
    await bare.goto(`file://${file}`)
    await bare.locator('.static h1').waitFor()
    expect(await seriousFindings(bare)).toEqual([])
  })

  it('is no wider than a phone', async () => {
    const page = await open(model, { viewport: { width: 390, height: 844 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await page.locator('table.side').count()).toBe(0)
    await page.keyboard.press('a')
    await page.locator('.answer').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
