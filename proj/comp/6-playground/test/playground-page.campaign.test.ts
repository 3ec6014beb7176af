import { deflateRawSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithChromium, seriousFindings } from '../../../test/support/chromium.js'
import { EXAMPLES, fragmentOf, readFragment } from '../src/index.js'

/** As it is in the repository: that it is the one of the sources, `npm run check` finds out. */
const PAGE = new URL('../../../../docs/playground/index.html', import.meta.url).href
const BLOCK = ['#!SHAM [@three-char-SHA-256: abc]', 'action = "exec"', 'code = "ls"', '#!END_SHAM_abc'].join('\n')
const DESK = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 } }

describeWithChromium('the playground', (chromium) => {
  async function open(fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await chromium.page(options)
    await page.goto(PAGE + fragment)
    await page.locator('.card').first().waitFor({ state: 'attached' })
    return page
  }
  const verdict = (page: Page): Promise<string> => page.locator('.verdict').innerText()
  const states = (page: Page): Promise<(string | null)[]> => (
    page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-state')))
  )

  it('shows an example with a block of each kind at first sight', async () => {
    const page = await open()
    await expect.poll(() => verdict(page)).toBe('1 block would run · 2 broken · 2 foreign · 1 quoted')
    expect(await states(page)).toEqual(['skipped', 'pending', 'failed', 'unparsed', 'unparsed', 'failed'])
    expect(await page.locator('.products .text-frame').first().innerText()).toContain('NOT PARSED block p9w')
    expect(await page.title()).toBe('1 block would run · 2 broken · 2 foreign · 1 quoted · hermes playground')
  })

  it('reads what is typed, what is pasted, and the formats that are chosen', async () => {
    const page = await open()
    await page.locator('#text').fill('')
    await expect.poll(() => verdict(page)).toBe('No block is in this text')
    await page.locator('#text').pressSequentially(BLOCK, { delay: 1 })
    await expect.poll(() => verdict(page)).toBe('1 block would run')
    await page.getByRole('button', { name: 'SEARCH/REPLACE' }).click()
    await expect.poll(() => verdict(page)).toBe('1 block would run')
    await page.getByLabel('SEARCH/REPLACE block').uncheck()
    await expect.poll(() => verdict(page)).toBe('Nothing would run · 1 foreign')
  })

  it('puts the mended answer in place', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Mend 2 places' }).click()
    await expect.poll(() => verdict(page)).toBe('3 blocks would run · 2 foreign · 1 quoted')
    expect(await page.locator('#text').inputValue()).toContain('new_text = "return sum')
  })

  it('puts no mended answer in place of what was typed since', async () => {
    const page = await open()
    const mend = page.getByRole('button', { name: 'Mend 2 places' })
    await mend.waitFor()
    const text = await page.evaluate(async () => {
      const field = document.querySelector<HTMLTextAreaElement>('#text')
      if (!field) throw new Error('There is no field')
      field.value += 'typed since'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(resolve))
      for (const button of document.querySelectorAll('button')) if (button.textContent === 'Mend 2 places') button.click()
      return field.value
    })
    await expect.poll(() => mend.isEnabled()).toBe(true)
    expect(await page.locator('#text').inputValue()).toBe(text)
    await mend.click()
    await expect.poll(() => page.locator('#text').inputValue()).toMatch(/new_text = "return sum[^]*typed since$/)
  })

  it('shows each format that a link has read, also one that is not offered', async () => {
    const page = await open(await fragmentOf({ text: BLOCK, formats: ['cline', 'v4a'] }))
    await page.getByLabel('dialect cline').click()
    await expect.poll(() => page.locator('.chip input:checked').count()).toBe(1)
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await expect.poll(async () => readFragment(await page.evaluate('location.hash'))).toEqual({ text: BLOCK, formats: ['v4a'] })
  })

  it.each([
    ['light', DESK], ['dark', DESK], ['light', PHONE], ['dark', PHONE],
  ] as const)('has no serious finding of axe, %s %j', async (colorScheme, options) => {
    const page = await open('', { colorScheme, ...options })
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.locator('.answer-line').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
  })

  it('is used by keys alone: from the list to the text and back', async () => {
    const page = await open()
    const selected = (): Promise<string> => page.evaluate(`(() => {
      const { value, selectionStart, selectionEnd } = document.getElementById('text')
      return document.activeElement.id === 'text' ? value.slice(selectionStart, selectionEnd) : ''
    })()`)
    await page.keyboard.press('n')
    await expect.poll(() => page.evaluate("document.activeElement.closest('.card')?.dataset.key")).toBe('e1')
    await page.keyboard.press('e')
    await expect.poll(selected).toMatch(/^#!SHAM \[@three-char-SHA-256: p9w\]\n[^]*\n#!END_SHAM_p9w$/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.locator('.span-head.span-failed button').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('#card-e1').waitFor()
    await page.keyboard.press('m')
    await expect.poll(() => verdict(page)).toBe('3 blocks would run · 2 foreign · 1 quoted')
  })

  it('opens what a link holds, and makes one that holds the answer', async () => {
    const page = await open(await fragmentOf({ text: BLOCK, formats: ['whole'] }))
    await expect.poll(() => page.locator('#text').inputValue()).toBe(BLOCK)
    expect(await page.getByLabel('whole file in a fence').isChecked()).toBe(true)
    await page.locator('#text').fill(`${BLOCK}\nand é`)
    await page.getByRole('button', { name: 'Copy a link' }).click()
    // Compressed by another program, the bytes may be others.
    await expect.poll(async () => readFragment(await page.evaluate('location.hash')))
      .toEqual({ text: `${BLOCK}\nand é`, formats: ['whole'] })
  })

  it('says what is wrong with a hostile link, and shows the example', async () => {
    const bomb = `#a=${deflateRawSync(Buffer.alloc(30_000_000, 'x')).toString('base64url')}`
    for (const [fragment, said] of [['#a=<img src=x onerror=alert(1)>', 'The link is damaged'], [bomb, 'more than this page shows']] as const) {
      const page = await open(fragment)
      await expect.poll(() => page.getByRole('alert').innerText()).toContain(said)
      expect(await page.locator('#text').inputValue()).toBe(EXAMPLES[0]?.text)
    }
  })

  it('takes no text for HTML, and asks nothing of any host', async () => {
    const nasty = '</script><script>alert(1)</script><img src="https://example.invalid/x" onerror=alert(2)>'
    const page = await open(await fragmentOf({ text: `${BLOCK.replace('ls', nasty.replaceAll('"', "'"))}\n${nasty}`, formats: [] }))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await expect.poll(() => verdict(page)).toBe('1 block would run')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect.poll(() => page.locator('.answer').innerText()).toContain(nasty)
    expect(await page.locator('img, iframe, a, body script[src]').count()).toBe(0)
    expect(asked).toEqual([])
    expect(await page.locator('meta[http-equiv]').getAttribute('content')).toMatch(/^default-src 'none'; (?!.*connect-src)/)
  })

  it('takes a paste of a megabyte: the page answers while it is read, and draws only what is near', async () => {
    const page = await open()
    const count = Math.ceil(1_000_000 / (BLOCK.length + 2))
    const text = `${BLOCK}\n\n`.repeat(count)
    await page.locator('#text').evaluate((field, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      Object.assign(field, { value: '' })
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
    // Keys and clicks are heard meanwhile: the page's own thread reads nothing.
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect.poll(() => verdict(page)).toBe(`${count.toLocaleString('en')} blocks would run`)
    await page.getByRole('button', { name: 'Blocks', exact: true }).click()
    await page.locator('.card').first().waitFor()
    expect(await page.locator('.card').count()).toBeLessThan(200)
  })

  it('is printed as a whole, without what is pressed', async () => {
    const page = await open('', { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect.poll(() => page.locator('.card').count()).toBe(6)
    expect(await page.locator('#text, .toolbar, .row, .card-edit').evaluateAll((all) => all.filter((each) => each.checkVisibility()).length)).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
  })
})
