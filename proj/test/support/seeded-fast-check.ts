/**
 * fast-check as tests get it: where chance shall not decide (CI), every property runs with one seed.
 * `HERMES_SEED=<integer>` sets another; without either, each run tries new cases.
 */
import { createRequire } from 'node:module'

const fc = createRequire(import.meta.url)('fast-check') as typeof import('fast-check')
const seed = process.env['HERMES_SEED'] ?? (process.env['CI'] ? '20261122' : undefined)
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })

export default fc
