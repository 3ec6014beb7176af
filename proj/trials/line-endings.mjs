/**
 * Edits by every verb and format that puts text into a file that is there, always written with LF but where a CR is
 * meant: of files with LF, CRLF or both, with and without a final line break and a byte order mark, one edit or several
 * of a file in one answer. Lines that no edit touches keep their bytes, new ones end as the contract says, which is
 * decided apart from the engine (line-endings/line-endings-model.ts).
 *
 * Usage: node proj/trials/line-endings.mjs [--cases N] [--seed N] [--write]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bundleEntry } from './bundle-entry.mjs'

const RESULTS = new URL('./results/line-endings.json', import.meta.url)
const MOST_REPORTED = 20

const { values } = parseArgs({ options: {
  cases: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
} })

const found = []
const { runTrial } = await import(await bundleEntry('line-endings/line-endings-entry.ts'))
const figures = await runTrial(Number(values.seed), Number(values.cases), (what, detail) => {
  if (found.length < MOST_REPORTED) found.push({ what, ...detail })
})
for (const kinds of ['byVerb', 'byFile', 'byEdits']) {
  figures[kinds] = Object.fromEntries(Object.entries(figures[kinds]).sort(([a], [b]) => (a < b ? -1 : 1)))
}
console.log(JSON.stringify(figures, null, 2))
for (const one of found) console.error(JSON.stringify(one))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = figures.wrongBytes + figures.refused === 0 ? 0 : 1
