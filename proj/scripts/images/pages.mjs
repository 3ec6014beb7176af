/** The pages that hermes writes and serves, photographed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, HOME, PROJECT } from './home.mjs'

const HERMES = join(HOME, 'bin', 'hermes')
const DESKTOP = { viewport: { width: 1200, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/** The report of an example answer, after keys of the page's were pressed. */
export async function shootReport(
  browser, { answer = 'response.md', colorScheme = 'light', isPhone = false, keys = '' },
) {
  const report = join(HOME, 'run.html')
  const args = ['apply', `../${answer}`, '--root-alias', '/workspace', '--report', report]
  const { status, stderr } = spawnSync(HERMES, args, { cwd: PROJECT, env: environment(), encoding: 'utf8' })
  const expected = answer === 'broken-response.md' ? 1 : 0
  if (status !== expected) throw new Error(`${answer} ended with ${status}, not ${expected}: ${stderr}`)
  // When the picture was made is nobody's business, and would change it each time.
  writeFileSync(
    report, readFileSync(report, 'utf8').replace(/"endedAt":"[^"]+"/, '"endedAt":"2026-01-02T09:30:00.000Z"'),
  )
  return atPage(browser, { ...(isPhone ? PHONE : DESKTOP), colorScheme }, `file://${report}`, '.card', keys)
}

/** A review before its run, after keys of the page's were pressed. */
export async function shootReview(browser, { isPhone = false, keys = '' }) {
  const args = ['review', '../answer.md', '--root-alias', '/workspace', '--no-open']
  const review = spawn(HERMES, args, { cwd: PROJECT, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(review, 'exit')
  try {
    let url
    for await (const line of createInterface({ input: review.stderr })) {
      url = /http:\S+/.exec(line)?.[0]
      if (url) break
    }
    if (!url) throw new Error('The review told no address')
    return await atPage(
      browser, { ...(isPhone ? PHONE : DESKTOP), colorScheme: 'light' }, url, 'button.primary:enabled', keys,
    )
  } finally {
    review.kill('SIGINT')
    await ended
  }
}

async function atPage(browser, options, url, settled, keys = '') {
  const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB', ...options })
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.locator(settled).first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await page.evaluate(() => window.scrollTo(0, 0))
    return await page.screenshot({ animations: 'disabled' })
  } finally {
    await context.close()
  }
}
