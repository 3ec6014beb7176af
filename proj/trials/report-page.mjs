/**
 * How long a large report takes to open, to search, and to scroll in headless Chromium. The blocks run for real.
 *
 *   node proj/trials/report-page.mjs [--blocks 2000] [--megabytes 20] [--write]
 *
 * Prints figures as JSON: `openMs` from the request of the file to cards on the screen, `scroll.longestFrameMs` between
 * two frames while the window goes down by 900 pixels a frame, with all cards closed and with all of them open.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { chromium } from 'playwright-core'

const { values } = parseArgs({ options: {
  blocks: { type: 'string', default: '2000' }, megabytes: { type: 'string', default: '20' },
  write: { type: 'boolean', default: false },
} })
const [blocks, megabytes] = [Number(values.blocks), Number(values.megabytes)]
const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'hermes-report-page-'))
try {
  const figures = await measure()
  const text = `${JSON.stringify(figures, null, 2)}\n`
  process.stdout.write(text)
  if (values.write) writeFileSync(new URL('results/report-page.json', import.meta.url), text)
} finally {
  removeSync(directory)
}

async function measure() {
  const report = join(directory, 'run.html')
  writeFileSync(join(directory, 'answer.md'), answer())
  const startedAt = performance.now()
  const args = [cli, 'apply', 'answer.md', '--root-alias', '/w', '--no-git', '--feedback', '--report', report]
  const run = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const runMs = Math.round(performance.now() - startedAt)
  if (run.stderr !== '') throw new Error(run.stderr)
  const browser = await chromium.launch({
    executablePath: process.env.HERMES_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const openings = []
    for (let time = 0; time < 3; time++) openings.push(await opened(page, report))
    const closed = await scrolled(page)
    await page.evaluate('scrollTo(0, 0)')
    const searchMs = await timed(async () => {
      await page.keyboard.press('/')
      await page.keyboard.insertText(`needle ${Math.floor(blocks / 20) * 10 + 1} `)
      await until(async () => await page.locator('.card').count() === 1)
    })
    await page.keyboard.press('Escape')
    await until(async () => await page.locator('.card').count() > 1)
    const openAllMs = await timed(() => page.keyboard.press('x'))
    const open = await scrolled(page)
    const answerMs = await timed(async () => {
      await page.keyboard.press('a')
      await page.waitForSelector('.answer-line')
    })
    return {
      blocks, fileBytes: statSync(report).size,
      answerBytes: Buffer.byteLength(readFileSync(join(directory, 'answer.md'))), runMs,
      openMs: { best: Math.min(...openings), worst: Math.max(...openings) }, scroll: { closed, open }, searchMs,
      openAllMs, answerMs, machine: { cores: cpus().length, node: process.version, chromium: browser.version() },
    }
  } finally {
    await browser.close()
  }
}

/** Milliseconds until cards are drawn, and a frame has been shown since. */
async function opened(page, file) {
  return timed(async () => {
    await page.goto(`file://${file}`, { waitUntil: 'commit' })
    await page.waitForSelector('.card')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  })
}

/** The page's policy lets no waiting function be evaluated in it. */
async function until(isSo) {
  const lateAt = performance.now() + 30_000
  while (!await isSo()) if (performance.now() > lateAt) throw new Error('It did not come about')
}

async function timed(act) {
  const startedAt = performance.now()
  await act()
  return Math.round(performance.now() - startedAt)
}

/** To the end of the page, at most 400 steps. */
async function scrolled(page) {
  return page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const times = []
    let [last, drawn, steps] = [await frame(), 0, 0]
    for (; steps < 400 && scrollY + innerHeight < document.documentElement.scrollHeight - 2; steps++) {
      scrollBy(0, 900)
      const now = await frame()
      times.push(now - last)
      last = now
      drawn = Math.max(drawn, document.querySelectorAll('*').length)
    }
    times.sort((a, b) => a - b)
    return {
      steps, medianFrameMs: Math.round(times[times.length >> 1]), longestFrameMs: Math.round(times.at(-1)),
      mostElements: drawn,
    }
  })()`)
}

/** Nine files in ten, and one edit of the file before. */
function answer() {
  const size = Math.floor((megabytes * 1e6) / blocks / 2)
  const parts = ['An answer with many blocks.\n']
  for (let number = 1; number <= blocks; number++) {
    const id = number.toString(36).padStart(4, '0')
    const isEdit = number % 10 === 0
    const lines = []
    for (let length = 0, line = 1; !isEdit && length < size; line++) {
      lines.push(`export const value${line} = compute(${number}, 'needle ${number} of ${line}') // some text to read`)
      length += lines.at(-1).length + 1
    }
    parts.push(isEdit
      ? `#!SHAM [@three-char-SHA-256: ${id}]\naction = "file_replace_text"\npath = `
        + `"/w/src/file-${number - 1}.ts"\nold_text = "value1 ="\nnew_text = "first ="\n#!END_SHAM_${id}\n`
      : `#!SHAM [@three-char-SHA-256: ${id}]\naction = "file_write"\npath = "/w/src/file-${number}.ts"\ncontent = `
        + `<<'EOT_SHAM_${id}'\n${lines.join('\n')}\nEOT_SHAM_${id}\n#!END_SHAM_${id}\n`)
  }
  return parts.join('\n')
}
