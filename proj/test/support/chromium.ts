import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { CHROMIUM, isThere, needing } from './needs.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Tells what the policy of a page stopped, also where its console does not. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('Violation of the content security policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample)
})`

/** One headless browser of the test file's own. */
export interface TestChromium {
  /**
   * A page in a context of its own; closed after the test. What it logs as an error, what it throws, what its content
   * security policy stops and what it asks of another host fails the test.
   */
  page(options?: BrowserContextOptions): Promise<Page>
  /** What went wrong in the pages of this test so far; a test that expects some of it takes it out. */
  readonly problems: string[]
}

/** Tests that need Chromium. */
export function describeWithChromium(name: string, tests: (chromium: TestChromium) => void): void {
  needing('chromium').describe(name, () => {
    let browser: Browser | undefined
    const contexts: BrowserContext[] = []
    const problems: string[] = []
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      expect(problems.splice(0)).toEqual([])
    })
    afterAll(() => browser?.close())
    tests({
      problems,
      async page(options = {}) {
        if (!browser) throw new Error('The browser is there once tests run')
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
        contexts.push(context)
        await context.addInitScript(TELL_VIOLATIONS)
        const page = await context.newPage()
        watch(page, problems)
        return page
      },
    })
  })
}

/** @throws Error where it is not installed */
export async function launchChromium(): Promise<Browser> {
  if (!isThere('chromium')) throw new Error(`${CHROMIUM} is not there: apt-get install chromium`)
  // As root it refuses to start inside of its own sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: CHROMIUM, args: [...args, '--disable-dev-shm-usage'] })
}

function watch(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`A dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isHere = ['file:', 'data:', 'about:', 'blob:'].includes(protocol) || hostname === '127.0.0.1' || hostname === 'localhost'
    if (!isHere) problems.push(`Asked of another host: ${request.url()}`)
  })
}

/** What axe finds that keeps somebody from the page. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }
    const { violations } = await axe.run()
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  })
}
