/**
 * Edits whose searched text drifted, by each kind that is tolerated and by kinds that are not, in every format: applied
 * in the right place with the right bytes, or refused. What is right is decided apart from the engine
 * (edits/edits-reference.ts).
 *
 * Usage: node proj/trials/edits.mjs [--cases N] [--seed N] [--share N] [--write]
 *   --share N   of N cases about one is run as a block of an answer on real files, too (default 20)
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bundleEntry } from './bundle-entry.mjs'

const RESULTS = new URL('./results/edits.json', import.meta.url)
const MOST_REPORTED = 20

const { values } = parseArgs({ options: {
  cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' },
  share: { type: 'string', default: '20' }, write: { type: 'boolean', default: false },
} })

const found = []
const { runTrial } = await import(await bundleEntry('edits/edits-entry.ts'))
const figures = await runTrial(Number(values.seed), Number(values.cases), Number(values.share), (what, detail) => {
  if (found.length < MOST_REPORTED) found.push({ what, ...detail })
})
const shown = { ...figures, byVerb: withRates(figures.byVerb), byFormat: withRates(figures.byFormat) }
console.log(JSON.stringify(shown, null, 2))
for (const one of found) console.error(JSON.stringify(one))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(shown, null, 2)}\n`)
process.exitCode = figures.wrongPlace + figures.wrongBytes + figures.wrongDecision + figures.wrongTier === 0 ? 0 : 1

/** Of each kind the share that went as it must, in percent. */
function withRates(figuresBy) {
  return Object.fromEntries(Object.entries(figuresBy).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kinds]) => [
    name, Object.fromEntries(Object.entries(kinds).map(([kind, counts]) => {
      const done = counts.applied ?? counts.refused
      return [kind, { ...counts, percent: counts.cases === 0 ? null : Number((100 * done / counts.cases).toFixed(2)) }]
    })),
  ]))
}
