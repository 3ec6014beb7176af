import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { describeWithChromium, seriousFindings } from '../../../test/support/chromium.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { readPageAssets } from '../../2-page/src/index.js'
import { startReview, type TestReview } from './review-client.js'

const ANSWER = `Three blocks.

#!SHAM [@three-char-SHA-256: aaa]
action = "file_replace_text"
path = "/workspace/a.ts"
old_text = "zero"
new_text = "one"
#!END_SHAM_aaa

\`\`\`yaml hermes
verb: write_file
arguments:
  path: b.txt
  content: two
\`\`\`

\`\`\`yaml hermes
verb: execute_command
arguments:
  command: rm -rf c; echo finished
\`\`\`

> <tool_call>{"name": "quoted", "arguments": {}}</tool_call>
`

interface Started {
  review: TestReview
  dir: string
}

async function start(text = ANSWER): Promise<Started> {
  const dir = tempDir()
  writeFileSync(join(dir, 'a.ts'), 'export const count = "zero"\n')
  const run = { root: dir, rootAliases: ['/workspace'], sandbox: 'none' as const, relativePaths: true }
  return { review: await startReview({ text, run, page: readPageAssets('review'), graceMs: 60_000 }), dir }
}

async function open(page: Page, { url }: TestReview): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: /^Run \d/ }).waitFor()
}

const card = (page: Page, id: string) => page.locator('.card', { has: page.locator('.id', { hasText: new RegExp(`^${id}$`) }) })
const runButton = (page: Page) => page.getByRole('button', { name: /^Run \d/ })
const h1 = (page: Page, text: RegExp | string) => page.getByRole('heading', { level: 1, name: text })

/** By the key that goes to the next change which was not on the screen. */
async function lookAtAll(page: Page): Promise<void> {
  await page.locator('button.primary:enabled').waitFor()
  const count = page.locator('.actions .count')
  await expect.poll(async () => {
    const isLeft = (await count.innerText()).includes('not looked at')
    if (isLeft) await page.keyboard.press('u')
    return isLeft
  }, { timeout: 30_000 }).toBe(false)
}

/** Of the clipboard; all that is not granted is then denied. */
const letOnlyRead = (page: Page) => page.context().grantPermissions(['clipboard-read'])

describeWithChromium('the review page', (chromium) => {
  it('shows, leaves out, edits, approves, runs live, and takes back', async () => {
    const { review, dir } = await start()
    const page = await chromium.page()
    await open(page, review)
    expect(page.url()).not.toContain(review.token)
    await h1(page, '3 blocks to run').waitFor()
    await card(page, 'aaa').locator('.changed', { hasText: 'one' }).waitFor()
    await page.getByText('Not run: in a blockquote').waitFor()

    // Left out: what is left is shown anew.
    await card(page, 'b1').getByRole('checkbox').uncheck()
    await h1(page, '2 blocks to run').waitFor()

    // Edited: judged while it is typed, and nothing that was not judged can be run.
    await card(page, 'aaa').getByRole('button', { name: 'Edit' }).click()
    const field = card(page, 'aaa').getByRole('textbox')
    const source = await field.inputValue()
    await field.fill(source.replace('file_replace_text', 'file_replace_txt'))
    expect(await runButton(page).isDisabled()).toBe(true)
    await card(page, 'aaa').locator('.verdict', { hasText: 'Unknown action: file_replace_txt' }).waitFor()
    await field.fill(source.replace('#!END_SHAM_aaa', ''))
    await card(page, 'aaa').locator('.verdict', { hasText: 'Not taken' }).waitFor()
    expect(await runButton(page).isDisabled()).toBe(true)
    await field.fill(source.replace('"one"', '"seven"'))
    await card(page, 'aaa').locator('.changed', { hasText: 'seven' }).waitFor()
    await card(page, 'aaa').getByRole('button', { name: 'Close' }).click()
    await card(page, 'aaa').locator('.flag', { hasText: 'edited' }).waitFor()
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toContain('zero')

    // Approved beforehand: nothing is asked.
    await card(page, 'b2').getByText('This command is dangerous').waitFor()
    await card(page, 'b2').getByLabel('Approve it for this run').check()
    await lookAtAll(page)
    await runButton(page).click()
    await h1(page, 'All 2 blocks succeeded').waitFor()
    await card(page, 'b2').getByText('finished', { exact: true }).waitFor()
    await page.getByText('left out in the review').waitFor()
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toContain('seven')
    expect(existsSync(join(dir, 'b.txt'))).toBe(false)

    await page.getByRole('button', { name: 'Copy reply' }).click()
    await page.getByText('The reply is on the clipboard').waitFor()
    await letOnlyRead(page)
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain('    | finished\n')
    // Where the page may not write to it, the reply stands there, selected.
    await page.keyboard.press('c')
    const reply = page.getByRole('textbox', { name: /^The browser does not let the page copy/ })
    await page.locator('textarea:focus').waitFor()
    expect(await reply.inputValue()).toBe(text)
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(text)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/^Undone: /).waitFor()
    expect(await page.getByRole('button', { name: 'Copy reply' }).count()).toBe(0)
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toContain('zero')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('hermes has ended. This page can be closed.').waitFor()
    expect(await review.ended).toMatchObject({ cancelled: false, edited: ['aaa'], undo: { left: [] } })
  })

  it('is all done by keys', async () => {
    const { review, dir } = await start()
    const page = await chromium.page()
    await open(page, review)
    const { keyboard } = page
    await keyboard.press('j')
    await keyboard.press('e')
    await page.getByRole('textbox', { name: 'Text of block aaa' }).waitFor()
    await page.locator('textarea:focus').waitFor()
    await keyboard.press('Control+Home')
    for (let line = 0; line < 4; line++) await keyboard.press('ArrowDown')
    await keyboard.press('End')
    await keyboard.press('Backspace')
    await keyboard.type('s"')
    await keyboard.press('Escape')
    await card(page, 'aaa').locator('.flag', { hasText: 'edited' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('t')
    await h1(page, '2 blocks to run').waitFor()
    await lookAtAll(page)
    await keyboard.press('R')
    // The question takes the focus, and the safe answer comes first.
    await page.locator('.prompt:focus').waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Deny')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await h1(page, 'All 2 blocks succeeded').waitFor()
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toBe('export const count = "ones"\n')
    await keyboard.press('U')
    await page.getByText(/^Undone: /).waitFor()
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toBe('export const count = "zero"\n')
  })

  it('has all diffs open, those of a file together, and runs nothing that was not on the screen unless told twice', async () => {
    const write = (path: string, lines: number): string => `<tool_call>${JSON.stringify({
      name: 'write_file', arguments: { path, content: Array.from({ length: lines }, (_, at) => `${path} ${at}\n`).join('') },
    })}</tool_call>\n`
    const edit = '<tool_call>{"name": "file_replace_text", "arguments": {"path": "a.ts", "old_text": "OLD", "new_text": "NEW"}}</tool_call>\n'
    const edits = [['"zero"', '"one"'], ['count', 'total']].map(([old = '', now = '']) => edit.replace('OLD', JSON.stringify(old).slice(1, -1)).replace('NEW', JSON.stringify(now).slice(1, -1)))
    const text = [edits[0], ...Array.from({ length: 8 }, (_, at) => write(`f${at}.txt`, at === 7 ? 400 : 30)), edits[1]].join('\n')
    const { review, dir } = await start(text)
    const page = await chromium.page()
    await open(page, review)
    const count = page.locator('.actions .count')
    await expect.poll(() => count.innerText()).toMatch(/^all 10 blocks ticked, \d not looked at yet$/)
    // Both blocks of the file stand below one heading, with what they come to.
    const [head] = await page.locator('.file-head').allInnerTexts()
    expect(head?.replace(/\s+/g, ' ')).toMatch(/^a\.ts \+2.* −2.* 2 blocks$/)
    expect(await page.locator('.card').nth(1).locator('.id').innerText()).toBe('b10')
    expect(await page.locator('.card .card-toggle[aria-expanded=false]').count()).toBe(0)

    await page.keyboard.press('R')
    await expect.poll(() => count.innerText()).toMatch(/^\d of 10 not looked at yet\. .*press Run again\.$/)
    expect(existsSync(join(dir, 'f0.txt'))).toBe(false)
    // What is folded counts as seen once it is unfolded and was on the screen.
    await lookAtAll(page)
    expect(await page.locator('.card', { hasText: 'f7.txt' }).locator('.change .more').count()).toBe(0)
    await page.keyboard.press('g')
    await card(page, 'b2').getByRole('button', { name: 'Edit' }).click()
    await card(page, 'b2').getByRole('textbox').fill(write('g.txt', 3).trimEnd())
    await card(page, 'b2').locator('.path', { hasText: 'g.txt' }).first().waitFor()
    // As a person would: Escape is for what has the focus.
    await card(page, 'b2').getByRole('textbox').press('Escape')
    await expect.poll(() => page.locator('textarea').count()).toBe(0)
    await lookAtAll(page)
    await page.keyboard.press('R')
    await h1(page, 'All 10 blocks succeeded').waitFor()
    expect(readFileSync(join(dir, 'a.ts'), 'utf8')).toBe('export const total = "one"\n')
  })

  it('counts a long command as looked at when all its lines were on the screen, and asks once for a run pressed twice', async () => {
    const command = Array.from({ length: 450 }, (_, index) => `echo ${index}`).join('\n')
    const { review } = await start(`\`\`\`yaml hermes\nverb: execute_command\narguments: ${JSON.stringify({ command })}\n\`\`\`
#!SHAM [@three-char-SHA-256: aaa]\naction = "exec"\nlang = "bash"\ncode = <<'EOT_SHAM_aaa'\n${command}\nEOT_SHAM_aaa\n#!END_SHAM_aaa\n`)
    const page = await chromium.page()
    await open(page, review)
    const frame = card(page, 'aaa').locator('.source .text-frame')
    const lines = frame.locator('.line')
    const count = page.locator('.actions .count')
    await card(page, 'b1').getByRole('checkbox').uncheck()
    await frame.locator('.more').click()
    await expect.poll(() => lines.count()).toBe(200)

    // The first 200 lines alone: those that follow are drawn as they come near, and left out again.
    for (const [line, block] of [[0, 'start'], [28, 'start'], [56, 'start'], [84, 'start'], [112, 'start'], [140, 'start'], [199, 'end'], [0, 'start']] as const) {
      await lines.nth(line).evaluate((element, to) => element.scrollIntoView({ block: to }), block)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    }
    await expect.poll(() => lines.count()).toBe(200)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await count.innerText()).toBe('1 of 2 blocks ticked, 1 not looked at yet')
    await lookAtAll(page)
    await runButton(page).dblclick()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    expect(await page.getByText('The review is over').count()).toBe(0)
  })

  it('counts in its button what can run, and says of the rest that it would fail or cannot run', async () => {
    const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
    const { review } = await start(`${call('write_file', { path: 'b.txt', content: 'b' })}
${call('file_replace_text', { path: 'a.ts', old_text: 'no such', new_text: '' })}
<tool_call>{"name": "write_file", "arguments": {"path"</tool_call>\n`)
    const page = await chromium.page()
    await open(page, review)
    await expect.poll(() => page.locator('.actions .count').innerText())
      .toMatch(/^all 3 blocks ticked, 1 would fail, 1 cannot run/)
    expect(await runButton(page).innerText()).toMatch(/^Run 2 blocks/)
    await card(page, 'b1').getByRole('checkbox').uncheck()
    await expect.poll(() => runButton(page).innerText()).toMatch(/^Run 1 block/)
  })

  it('says of an answer in which nothing can run what was found, and what to do', async () => {
    const { review } = await start('Try this:\n\n```python\nprint(1)\n```\n\na.ts\n<<<<<<< SEARCH\nzero\n=======\none\n>>>>>>> REPLACE\n\n> <tool_call>{"name": "quoted", "arguments": {}}</tool_call>\n')
    const page = await chromium.page({ bypassCSP: true })
    await open(page, review)
    const panel = page.getByRole('region', { name: 'Nothing in this answer can run' })
    expect(await panel.innerText()).toMatch(/line 3: ```python[^]*--edit-format search-replace[^]*hermes prompt/)
    await page.getByText('Not run: in a blockquote').waitFor()
    expect(await runButton(page).isDisabled()).toBe(true)
    await panel.getByText('What to tell the model', { exact: true }).click()
    expect(await panel.locator('pre').innerText()).toContain('SKIPPED a block')
    expect(await seriousFindings(page)).toEqual([])
    await letOnlyRead(page)
    await panel.getByRole('button', { name: 'Copy what to tell it' }).click()
    await panel.locator('textarea:focus').waitFor()
  })

  it('shows two pages the same, also one that is loaded again, and a phone all of it', async () => {
    const { review } = await start()
    const page = await chromium.page()
    await open(page, review)
    await card(page, 'b1').getByRole('checkbox').uncheck()
    await h1(page, '2 blocks to run').waitFor()
    const other = await chromium.page()
    await open(other, review)
    await page.reload()
    await h1(page, '2 blocks to run').waitFor()
    await runButton(page).waitFor()
    const [one, two] = await Promise.all([page, other].map(async (each) => {
      await each.locator('button.primary:enabled').waitFor()
      return PNG.sync.read(await each.screenshot({ animations: 'disabled', caret: 'hide' }))
    }))
    expect([one?.width, one?.height]).toEqual([two?.width, two?.height])
    if (one && two) expect(pixelmatch(one.data, two.data, undefined, one.width, one.height, { threshold: 0.1 })).toBe(0)

    const phone = await chromium.page({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await open(phone, review)
    expect(await phone.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await runButton(phone).evaluate((button) => button.getBoundingClientRect().bottom)).toBeLessThanOrEqual(844)
    await lookAtAll(phone)
    await runButton(phone).click()
    await phone.getByRole('button', { name: 'Deny' }).click()
    await h1(page, '1 of 2 blocks succeeded').waitFor()
    await h1(other, '1 of 2 blocks succeeded').waitFor()
  })

  it('has no serious finding of axe in any state, light and dark, and takes what another page edits', async () => {
    const { review } = await start()
    const page = await chromium.page({ bypassCSP: true })
    const findings = async (): Promise<string[]> => {
      const found: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...await seriousFindings(page))
      }
      return found
    }
    await open(page, review)
    expect(await findings()).toEqual([])
    await card(page, 'b1').getByRole('checkbox').uncheck()
    await card(page, 'aaa').getByRole('button', { name: 'Edit' }).click()
    const field = card(page, 'aaa').getByRole('textbox')
    const source = await field.inputValue()

    // What stands in the field is what would run, also where another page has changed it.
    await review.send({ type: 'edit', key: '1', text: source.replace('"one"', '"elsewhere"') })
    await expect.poll(() => field.inputValue()).toContain('"elsewhere"')
    await field.fill(source.replace('"one"', '"here"'))
    await card(page, 'aaa').locator('.changed', { hasText: 'here' }).waitFor()
    await card(page, 'aaa').locator('.verdict.ok').waitFor()
    await page.locator('textarea:focus').waitFor()
    await card(page, 'aaa').getByRole('button', { name: 'Close' }).click()
    await review.send({ type: 'edit', key: '1', text: source.replace('"one"', '"elsewhere"') })
    await card(page, 'aaa').locator('.changed', { hasText: 'elsewhere' }).waitFor()
    await card(page, 'aaa').getByRole('button', { name: 'Edit' }).click()
    expect(await field.inputValue()).toContain('"elsewhere"')

    await field.fill('#!SHAM')
    await card(page, 'aaa').locator('.verdict.bad').waitFor()
    expect(await findings()).toEqual([])
    await card(page, 'aaa').getByRole('button', { name: 'As in the answer' }).click()
    await page.locator('button.primary:enabled').waitFor()
    await lookAtAll(page)
    await runButton(page).click()
    await page.locator('.prompt').waitFor()
    expect(await findings()).toEqual([])
    await page.getByRole('button', { name: 'Deny' }).click()
    await letOnlyRead(page)
    await page.getByRole('button', { name: 'Copy reply' }).click()
    await page.locator('#to-copy:focus').waitFor()
    expect(await findings()).toEqual([])
  })

  it('shows a hostile answer and lets none of it do anything', async () => {
    const script = '<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1"><a href="javascript:hacked=1">All 9 blocks succeeded</a>'
    const tool = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
    const block = (path: string, content: string): string => tool('write_file', { path, content })
    const text = [
      block('</script><script>hacked=1</script>.html', script), block('turned-\u202Egnp.exe', '\u202Eabc\u0007\u001b[31mred'), block('long.txt', 'x'.repeat(3_000_000)),
      block('"><style>*{display:none}</style>', '</textarea><iframe srcdoc="<script>parent.hacked=1</script>">'),
      `<tool_call>{"name": "execute_command", "arguments": {"command": "echo '${script.replaceAll('"', '')}'"}}</tool_call>\n`,
      `#!SHAM [@three-char-SHA-256: ${script}]\n`,
    ].join('\n')
    const { review } = await start(`Look at ${script} \u202Ehere\n\n${tool('execute_command', { command: `rm -rf none; : ${'x'.repeat(5000)}; echo last words` })}${text}`)
    const page = await chromium.page()
    await open(page, review)
    await page.getByText('globalThis.hacked').first().waitFor()
    await page.locator('.prose summary').first().click()
    expect(await page.locator('.prose p').first().innerText()).toBe(String.raw`Look at ${script} \u202ehere`)
    // What is to be approved is shown to its end.
    const asked = page.locator('.ask', { has: page.locator('.command', { hasText: 'last words' }) })
    await asked.getByRole('checkbox').check()
    await page.locator('.card').first().getByRole('button', { name: 'Edit' }).click()
    await page.locator('textarea').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('textarea').count()).toBe(0)
    await page.locator('button.primary:enabled').waitFor()
    await lookAtAll(page)
    await runButton(page).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(await page.locator('#page script, #page img, #page iframe, #page a, #page style').count()).toBe(0)
    expect(await page.locator('#page').innerText()).not.toContain('\u202E')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toContain('9')
  })

  it('shows what the answer says as it reads, and leads away only where the address can be seen', async () => {
    const said = '## Plan\n\n1. *first*\n2. [a page](https://example.org/a), [a script](javascript:hacked=1)\n\n| a | b |\n|---|--:|\n| `x` | 1 |\n\n<b>no HTML</b> ![p](https://example.org/p.png)\n'
    const { review } = await start(`${said}\n${ANSWER}`)
    const page = await chromium.page({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
    await open(page, review)
    const summary = page.locator('.prose summary').first()
    expect(await summary.innerText()).toMatch(/Plan …/)
    await summary.click()
    const prose = page.locator('.prose .markdown').first()
    expect(await prose.locator('h4').innerText()).toBe('Plan')
    expect(await prose.locator('li').allInnerTexts()).toEqual(['first', 'a page (https://example.org/a), a script (javascript:hacked=1)'])
    expect(await prose.locator('a').evaluateAll((links) => links.map((link) => [link.getAttribute('href'), link.getAttribute('target'), link.textContent])))
      .toEqual([['https://example.org/a', '_blank', 'https://example.org/a']])
    expect(await prose.locator('td.right').innerText()).toBe('1')
    expect(await prose.innerText()).toContain('<b>no HTML</b> picture: p (https://example.org/p.png)')
    expect(await page.locator('#page img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(await seriousFindings(page)).toEqual([])
  })

  it('shows nothing without the token, and says when hermes has gone', async () => {
    const { review } = await start()
    const stranger = await chromium.page()
    await stranger.goto(`http://127.0.0.1:${review.port}/`)
    await stranger.getByText('This address is not enough').waitFor()
    await stranger.goto('about:blank')
    await stranger.goto(`http://127.0.0.1:${review.port}/#wrong`)
    await stranger.getByText('This address is not enough').waitFor()
    expect(chromium.problems.splice(0)).toEqual([expect.stringContaining('401')])
    const page = await chromium.page()
    await open(page, review)
    review.interrupt()
    await page.getByText('hermes has ended. This page can be closed.').waitFor()

    // Closing the last page ends it, too.
    const other = await startReview({ text: ANSWER, run: { root: tempDir() }, page: readPageAssets('review'), graceMs: 10 })
    await page.goto(other.url)
    await runButton(page).waitFor()
    await page.close()
    expect(await other.ended).toEqual({ cancelled: true, edited: [] })
  })
})
