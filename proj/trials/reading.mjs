/**
 * Valid answers with one slip each: an opener that a slip leaves standing is a block, an error or a skipped entry;
 * nothing that is quoted runs; every block that the slip cannot touch runs. Judged apart from the scanner
 * (reading/oracle.ts, reading/reach.ts).
 *
 * Usage: node proj/trials/reading.mjs [--mutants N] [--seed N] [--most N] [--write]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleEntry } from './bundle-entry.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const GOLDENS = join(PROJECT, 'proj', 'comp', '1-reading', 'test-data', 'parsers')
const RESULTS = new URL('./results/reading.json', import.meta.url)

const { values } = parseArgs({ options: {
  mutants: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' },
  most: { type: 'string', default: '20' }, write: { type: 'boolean', default: false },
} })

const { runTrial } = await import(await bundleEntry('reading/entry.ts'))
const { figures, failures } = runTrial(Number(values.seed), Number(values.mutants), goldenTexts())
console.log(JSON.stringify(figures, null, 2))
for (const { cause, count, slips, text, from } of failures.slice(0, Number(values.most))) {
  const before = from === text ? '(the same)' : from
  console.error(`${count}x ${cause} ${JSON.stringify(slips)}\n--- text\n${text}\n--- from\n${before}\n`)
}
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Inputs of the goldens that are written as they stand (no flags but edit formats). */
function goldenTexts() {
  return readdirSync(GOLDENS).filter((name) => name.endsWith('.cases.md')).sort().flatMap((name) => {
    const source = readFileSync(join(GOLDENS, name), 'utf8')
    return [...source.matchAll(/^(~{3,}|`{3,})text([^\n]*)\n([^]*?)\n\1$/gm)]
      .filter(([, , flags]) => /^(?: (?:edit-formats|search-replace|v4a|unified))*$/.test(flags))
      .map(([, , flags, body], index) =>
        ({ name: `${name} ${index + 1}`, text: `${body}\n`, editFormats: flags !== '' }))
  })
}
