import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeWithChromium, seriousFindings } from '../../../test/support/chromium.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { shamBlock } from '../../1-registry/src/index.js'
import { dialogueUi, Extensions } from '../../2-extensions/src/index.js'
import { readPageAssets } from '../../2-page/src/index.js'
import { startReview } from './review-client.js'

const pointer = fileURLToPath(new URL('../../../../test-data/extensions/pointer.mjs', import.meta.url))

/** A review of an answer that a real extension has changed. */
async function start(text: string, run: string) {
  const root = tempDir()
  await using extensions = new Extensions({
    root, extensions: [{ name: 'pointer', command: [process.execPath, pointer], run }],
    ui: dialogueUi({ 'ui/showConfirm': () => ({ confirmed: true }) }),
  })
  const prepared = await extensions.rewrite(text)
  const review = await startReview({
    text: prepared.text, prepared, run: { root, rootAliases: ['/w'], gitCommit: false }, page: readPageAssets('review'),
    graceMs: 60_000,
  })
  return { root, review }
}

describeWithChromium('the review page of an answer that extensions changed', (chromium) => {
  it('shows what they changed before it runs, and says it of the run', async () => {
    const { root, review } = await start(shamBlock('one', 'file_write', { path: '/old/one.txt', content: 'one' }), 'ask')
    const page = await chromium.page({ bypassCSP: true })
    await page.goto(review.url)
    const run = page.getByRole('button', { name: /^Run \d/ })
    await run.waitFor()
    const changed = page.locator('.rewrites details')
    expect(await changed.count()).toBe(1)
    expect(await changed.locator('summary').textContent()).toBe('The answer is rewritten by pointer 1.2 (ask): +1 −1')
    expect(await changed.locator('del').textContent()).toBe('path = "/old/one.txt"')
    expect(await changed.locator('ins').textContent()).toBe('path = "/w/one.txt"')
    // Before anything has run it is seen without a click.
    expect(await changed.locator('ins').isVisible()).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await seriousFindings(page)).toEqual([])
    }
    await run.click()
    await page.getByRole('heading', { level: 1, name: /succeeded$/ }).waitFor()
    expect(await changed.locator('ins').isVisible()).toBe(false)
    expect(readFileSync(join(root, 'one.txt'), 'utf8')).toBe('one')
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await review.ended).toMatchObject({ result: { rewrites: [{ extension: 'pointer', command: 'ask' }] } })
  })

  it('shows a hostile change and lets none of it do anything; closing the page ends the review', async () => {
    const script = '</summary><script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1">'
    const { review } = await start(`/old/${script}\u202e\u0007\r\n${shamBlock('one', 'file_write', { path: '/w/a', content: 'x' })}`, 'point')
    const page = await chromium.page()
    await page.goto(review.url)
    await page.getByRole('button', { name: /^Run \d/ }).waitFor()
    expect(await page.locator('.rewrites ins').textContent()).toContain(script)
    expect(await page.locator('.rewrites').innerText()).not.toContain('\u202e')
    expect(await page.locator('#page script, #page img').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    await page.close()
    review.interrupt()
    expect(await review.ended).toEqual({ cancelled: true, edited: [] })
  })
})
