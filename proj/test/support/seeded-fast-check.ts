/**
 * fast-check as tests get it. Where chance shall not decide (CI), every property runs with one seed:
 * `HERMES_SEED=<integer>` sets another; without either, each run tries new cases. Properties run at their full counts
 * in a campaign (at half of them where that takes a share: they are quick), and at a part of them otherwise.
 */
import { createRequire } from 'node:module'
import { campaignPart, givenSeed, isCampaign } from './campaign.js'

const fc = createRequire(import.meta.url)('fast-check') as typeof import('fast-check')
if (givenSeed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(givenSeed) })

const DEFAULT_RUNS = 100
/** Fewer would find little. */
const FEW_RUNS = 10
const PART = 10

const assert: typeof fc.assert = (property, parameters = {}) => {
  const all = parameters.numRuns ?? DEFAULT_RUNS
  const numRuns = Math.min(all, Math.max(FEW_RUNS, Math.ceil(all / (isCampaign ? Math.min(campaignPart, 2) : PART))))
  return fc.assert(property, { ...parameters, numRuns } as typeof parameters) as never
}

export default { ...fc, assert }
