import { expect, it } from 'vitest'
import { isCampaign } from './support/campaign.js'
import { trial } from './support/trial.js'

/** A slice of `npm run trial:edits`: edits whose searched text drifted, in every format. */
it('a slice of the trial with edits finds none in the wrong place, and none refused that is tolerated', async () => {
  const { figures, stderr } = await trial('edits', '--cases', isCampaign ? '5000' : '500', '--seed', '2')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ wrongPlace: 0, wrongBytes: 0, wrongDecision: 0, wrongTier: 0 })
  const byVerb = Object.entries(figures['byVerb'] as Record<string, Record<string, { cases: number; percent: number }>>)
  for (const [verb, kinds] of byVerb) {
    for (const [kind, { cases, percent }] of Object.entries(kinds)) {
      expect(cases, `${verb} ${kind}`).toBeGreaterThan(0)
      // A diff has the number of its line, which may tell which of several places is meant.
      if (verb !== 'patch_unified' || kind !== 'ambiguous') expect(percent, `${verb} ${kind}`).toBe(100)
    }
  }
})

/** A slice of `npm run trial:line-endings`: by every verb and format that puts text into a file. */
it('a slice of the trial with line endings finds no line that lost its own, and none put in with others', async () => {
  const { figures, stderr } = await trial('line-endings', '--cases', isCampaign ? '1000' : '200', '--seed', '2')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ wrongBytes: 0, refused: 0 })
  expect(Object.keys(figures['byVerb'] as object)).toHaveLength(15)
})

/** A slice of `npm run trial:serve`. */
it('a slice of the trial with many clients loses no answer of the server, and doubles none', async () => {
  const [requests, clients] = isCampaign ? [3000, 40] : [200, 10]
  const counts = ['--requests', String(requests), '--clients', String(clients), '--each', '5']
  const { figures, stderr } = await trial('serve', ...counts, '--seed', '2')
  expect(stderr).toBe('')
  expect(figures['stdio']).toMatchObject({ answered: requests + 1, lost: 0, doubled: 0, wrong: 0, unexpected: 0 })
  expect(figures['http']).toMatchObject({ answered: clients * 5, lost: 0, doubled: 0, wrong: 0 })
})

/** A slice of `npm run trial:reading`: answers with one slip each. */
it('a slice of the trial with slips loses no opener without a word, runs nothing quoted, and costs no other block', async () => {
  const { figures, stderr } = await trial('reading', '--mutants', isCampaign ? '20000' : '2000', '--seed', '2')
  expect(figures['failedAnswers'], stderr).toBe(0)
  expect(figures['byRule'], 'nothing quoted runs').not.toHaveProperty('quoted')
  // What is left is told in the results: a few texts in ten thousand where oracle and scanner differ.
  expect(figures['failed']).toBeLessThan(isCampaign ? 40 : 10)
  for (const rule of ['untouched', 'quoted']) {
    const { checked, excluded } = figures[rule] as { checked: number; excluded: number }
    expect(excluded / (checked + excluded), rule).toBeLessThan(0.15)
  }
})
