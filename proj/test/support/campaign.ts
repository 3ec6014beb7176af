/** Whether this is `npm run test:campaign`, where properties and corpora run at their full size. */
export const isCampaign = process.env['HERMES_CAMPAIGN'] === '1'

/** All in a campaign, else every `step`-th of them from the first: spread over the whole, and always the same. */
export function spread<Case>(cases: readonly Case[], step: number, first = 0): readonly Case[] {
  return isCampaign ? cases : cases.filter((_, index) => index % step === first)
}
