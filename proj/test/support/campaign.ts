/** Whether this is `npm run test:campaign`, where properties and corpora run at their full size. */
export const isCampaign = process.env['HERMES_CAMPAIGN'] === '1'

/** How much rarer cases are outside of a campaign than their files say: what they all take grows with each file. */
const RARER = 2

/**
 * All in a campaign, else every `step`-th of them from the first, or fewer: spread over the whole, and always the same.
 */
export function spread<Case>(cases: readonly Case[], step: number, first = 0): readonly Case[] {
  return isCampaign ? cases : cases.filter((_, index) => index % (step * RARER) === first)
}
