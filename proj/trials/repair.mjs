/**
 * For each class of block that cannot be read or run: whether the feedback lets a second answer mend only that block,
 * and how many tokens it takes against asking for the whole answer again. The answers are recorded
 * (proj/comp/6-agent/test-data/agent/repair.cases.md), so the figures are of what has to be written, not of how well
 * a model does it.
 *
 * Usage: node proj/trials/repair.mjs [--write]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const CORPUS = new URL('../comp/6-agent/test-data/agent/repair.cases.md', import.meta.url)
const RESULTS = new URL('./results/repair.json', import.meta.url)

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
let repairs
try {
  const { playRepairs } = await import(await bundle())
  repairs = await playRepairs(CORPUS)
} finally {
  rmSync(out, { recursive: true, force: true })
}
const sum = name => repairs.reduce((total, repair) => total + repair[name], 0)
const figures = {
  classes: repairs.length, mended: repairs.filter(({ mended }) => mended).length,
  regeneratedTokens: sum('regenerated'), wholeAnswerAgainTokens: sum('whole'), feedbackTokens: sum('feedback'),
  regeneratedShare: Number((sum('regenerated') / sum('whole')).toFixed(3)),
  byClass: Object.fromEntries(repairs.map(({ name, code, mended, regenerated, whole, feedback }) => (
    [name, { code, mended, regenerated, whole, feedback }]
  ))),
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = figures.mended === figures.classes ? 0 : 1

async function bundle() {
  const built = await rolldown({
    cwd: PROJECT, input: join(PROJECT, 'proj', 'trials', 'repair-entry.ts'), platform: 'node',
    external: [/^node:/, 'typescript', /ripgrep/, /^openai/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return pathToFileURL(join(out, 'entry.mjs')).href
}
