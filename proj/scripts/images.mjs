/**
 * Makes docs/images/*.png from real runs of dist/: terminals are pseudo terminals,
 * pages are those that hermes writes and serves.
 *
 *   npm run images [-- NAME…]
 *
 * Takes Linux with util-linux (`unshare`), chromium (`HERMES_TEST_CHROMIUM` names another),
 * and the font DejaVu Sans Mono.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { environment, freshProject, furnish, PROJECT, REPOSITORY, runAtHome } from './images/home.mjs'
import { startModel } from './images/model.mjs'
import { shootReport, shootReview } from './images/pages.mjs'
import { withPalette } from './images/palette.mjs'
import { Terminal } from './images/terminal.mjs'

const MOST_BYTES = 150_000
const MODEL = 'anthropic/claude-sonnet-4'
const QUANTITY_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cart } from '../src/cart.js'

test('no pieces are no item', () => {
  assert.throws(() => new Cart().add('tea', 3.5, 0), RangeError)
})
`
const names = process.argv.slice(2)
const repository = fileURLToPath(new URL('../..', import.meta.url))
process.exitCode = runAtHome(repository, 'proj/scripts/images.mjs', names) ?? await makeImages()

async function makeImages() {
  furnish()
  const browser = await chromium.launch({
    executablePath: process.env.HERMES_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  try {
    const scenes = {
      'answer-to-undo': () => typed(
        'cat ../short-answer.md', 'hermes apply ../short-answer.md --dry-run', 'hermes apply ../short-answer.md',
        'hermes undo',
      ),
      apply: () => typed('hermes apply ../broken-response.md --root-alias /workspace'),
      'dry-run': () => typed('hermes apply ../answer.md --root-alias /workspace --dry-run'),
      replay: () => drifted('hermes replay tests/transcripts'),
      doctor: () => typed('hermes doctor'),
      chat: chatted,
      'report-light': () => shootReport(browser, { colorScheme: 'light', keys: 'x' }),
      'report-dark': () => shootReport(browser, { answer: 'broken-response.md', colorScheme: 'dark', keys: 'n' }),
      'report-phone': () => shootReport(browser, { isPhone: true }),
      'review-desktop': () => shootReview(browser, {}),
      'review-phone': () => shootReview(browser, { isPhone: true, keys: 'f' }),
    }
    mkdirSync(join(REPOSITORY, 'docs', 'images'), { recursive: true })
    for (const [name, shoot] of Object.entries(scenes)) {
      if (names.length > 0 && !names.includes(name)) continue
      freshProject()
      const shot = await shoot()
      const png = withPalette(Buffer.isBuffer(shot) ? shot : await photographed(browser, shot))
      if (png.length > MOST_BYTES) throw new Error(`${name}: ${png.length} bytes, more than ${MOST_BYTES}`)
      writeFileSync(join(REPOSITORY, 'docs', 'images', `${name}.png`), png)
      process.stdout.write(`${name}.png  ${png.length} B\n`)
    }
  } finally {
    await browser.close()
  }
  return 0
}

/** The screen after these commands. */
async function typed(...commands) {
  const terminal = new Terminal({ cwd: PROJECT, env: environment() })
  try {
    for (const command of commands) await terminal.run(command)
    return terminal.page()
  } finally {
    terminal.close()
  }
}

/** As after a change of the project that transcripts were recorded in. */
async function drifted(command) {
  const greeting = join(PROJECT, 'tests', 'transcripts', 'project', 'src', 'greet.js')
  writeFileSync(greeting, readFileSync(greeting, 'utf8').replace('Hello', 'Good day'))
  return typed(command)
}

async function chatted() {
  const { server, say } = await startModel(REPOSITORY)
  server.play(MODEL, [
    say(
      'I read the code, and look for its tests.', ['read_file', { path: 'src/cart.js' }],
      ['search_files', { query: 'RangeError' }],
    ),
    say(
      'That quantity must be 1 or more has no test. I add one, and run them.',
      ['write_file', { path: 'test/quantity.test.js', content: QUANTITY_TEST }],
    ),
    say('', ['execute_command', { command: 'node --test | grep -E "^# (tests|pass|fail)"' }]),
    say('The check of `quantity` in `add` had none. test/quantity.test.js has one now, and all tests pass.'),
  ])
  const env = { ...environment(), HERMES_MODEL: MODEL, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' }
  const terminal = new Terminal({ cwd: PROJECT, env })
  try {
    await terminal.ready()
    terminal.type('hermes chat\r')
    await terminal.until('/help')
    terminal.type('Which check in src/cart.js has no test? Add one.\r')
    await terminal.until('calls ·')
    return terminal.page()
  } finally {
    terminal.close()
    await server.close()
  }
}

async function photographed(browser, html) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, deviceScaleFactor: 1.5 })
  try {
    await page.setContent(html)
    return await page.locator('main').screenshot({ omitBackground: true })
  } finally {
    await page.close()
  }
}
