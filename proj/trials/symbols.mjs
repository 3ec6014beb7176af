/**
 * How far find_symbol and get_definition agree with the TypeScript compiler, over an npm package that ships its
 * TypeScript source: `npm run trial:symbols`. Writes results/symbols.json; takes some minutes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputFileSync } from 'fs-extra/esm'
import { bundleEntry } from './bundle-entry.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const corpus = join(root, 'proj', 'node_modules', 'ajv')
const SEED = 3

const { contextFor, definitionAgreement, symbolAgreement, usualOptions } = await import(
  await bundleEntry('symbols-entry.ts')
)
const { name, version } = JSON.parse(readFileSync(join(corpus, 'package.json'), 'utf8'))
const sources = join(corpus, 'lib')
const symbols = await timed(() => symbolAgreement(sources, contextFor(sources)))
process.stdout.write(`${JSON.stringify(symbols, null, 2)}\n`)
const definitions = await timed(() => (
  definitionAgreement(sources, usualOptions(), contextFor(sources), 100, SEED)
))
process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`)
const results = { package: `${name}@${version}`, seed: SEED, find_symbol: symbols, get_definition: definitions }
const file = fileURLToPath(new URL('results/symbols.json', import.meta.url))
outputFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
const holds = symbols.precision >= 0.98 && symbols.recall >= 0.98 && definitions.agreed >= 95
if (!holds) process.exitCode = 1

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { ...result, seconds: Math.round((performance.now() - start) / 1000) }
}
