/**
 * Edits whose searched text drifted, by each kind that is tolerated and by kinds that are not, in every format: applied
 * in the right place with the right bytes, or refused. What is right is decided apart from the engine
 * (edits/edits-reference.ts).
 *
 * Usage: node proj/trials/edits.mjs [--cases N] [--seed N] [--share N] [--write]
 *   --share N   of N cases about one is run as a block of an answer on real files, too (default 20)
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = new URL('./results/edits.json', import.meta.url)
const MOST_REPORTED = 20

const { values } = parseArgs({ options: {
  cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' },
  share: { type: 'string', default: '20' }, write: { type: 'boolean', default: false },
} })

const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
const found = []
let figures
try {
  const { runTrial } = await import(await bundle())
  figures = await runTrial(Number(values.seed), Number(values.cases), Number(values.share), (what, detail) => {
    if (found.length < MOST_REPORTED) found.push({ what, ...detail })
  })
} finally {
  rmSync(out, { recursive: true, force: true })
}
const shown = { ...figures, byVerb: withRates(figures.byVerb), byFormat: withRates(figures.byFormat) }
console.log(JSON.stringify(shown, null, 2))
for (const one of found) console.error(JSON.stringify(one))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(shown, null, 2)}\n`)
process.exitCode = figures.wrongPlace + figures.wrongBytes + figures.wrongDecision + figures.wrongTier === 0 ? 0 : 1

async function bundle() {
  const built = await rolldown({
    cwd: PROJECT, input: join(PROJECT, 'proj', 'trials', 'edits', 'edits-entry.ts'), platform: 'node',
    external: [/^node:/, 'typescript', /ripgrep/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return pathToFileURL(join(out, 'entry.mjs')).href
}

/** Of each kind the share that went as it must, in percent. */
function withRates(figuresBy) {
  return Object.fromEntries(Object.entries(figuresBy).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kinds]) => [
    name, Object.fromEntries(Object.entries(kinds).map(([kind, counts]) => {
      const done = counts.applied ?? counts.refused
      return [kind, { ...counts, percent: counts.cases === 0 ? null : Number((100 * done / counts.cases).toFixed(2)) }]
    })),
  ]))
}
