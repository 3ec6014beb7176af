/** Whether this is `npm run test:campaign`, where properties and corpora run at their full size. */
export const isCampaign = process.env['HERMES_CAMPAIGN'] === '1'

/**
 * The share of a campaign that runs, as its divisor: CI takes every fourth case (`HERMES_CAMPAIGN_PART=4`), by its seed;
 * `npm run test:campaign` takes all.
 */
export const campaignPart = Number(process.env['HERMES_CAMPAIGN_PART'] ?? '1')

/** Where chance shall not decide (CI); else each run tries new cases. */
export const givenSeed = process.env['HERMES_SEED'] ?? (process.env['CI'] ? '20261122' : undefined)
const seedOfRun = Number(givenSeed ?? '0')

/** How much rarer cases are outside of a campaign than their files say: what they all take grows with each file. */
const RARER = 4

/**
 * All in a campaign, or its share of them and what other runs take; else every `step`-th of them from the first, or
 * fewer: spread over the whole, and always the same.
 */
export function spread<Case>(cases: readonly Case[], step: number, first = 0): readonly Case[] {
  return cases.filter((_, index) => (
    index % (step * RARER) === first || (isCampaign && index % campaignPart === seedOfRun % campaignPart)))
}
