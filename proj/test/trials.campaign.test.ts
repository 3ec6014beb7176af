import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isCampaign } from './support/campaign.js'
import { needing } from './support/needs.js'
import { describeWithRedis } from './support/redis.js'
import { trial } from './support/trial.js'

it('a campaign runs properties and corpora at their full size', () => {
  expect(isCampaign).toBe(true)
})

/** Slices of what `npm run trial:crash` and `npm run trial:contend` do in full. */
describe.skipIf(process.platform === 'win32')('a slice of the trial', () => {
  it('with runs that are killed tears no file, and each is recovered', async () => {
    const { figures, stderr } = await trial('crash', '--runs', '8', '--jobs', '2', '--seed', '2', '--seconds', '90')
    expect(stderr).toBe('')
    expect(figures).toMatchObject({ torn: 0, fsckFailed: 0, blocked: 0, unrecovered: 0 })
    expect(figures['kills']).toBeGreaterThan(0)
  })

  it('with two processes at once interleaves nothing and loses no update', async () => {
    const { figures, stderr } = await trial('contend', '--runs', '4', '--seed', '2', '--seconds', '8')
    expect(stderr).toBe('')
    expect(figures).toMatchObject({ interleaved: 0, lostUpdates: 0, unexplained: 0, fsckFailed: 0, leftLocks: 0 })
    const { trials, bothCompleted } = figures['waiting'] as { trials: number; bothCompleted: number }
    expect(bothCompleted).toBe(trials)
  })
})

/** A slice of `npm run trial:race`. Elsewhere directories cannot be held open (docs/SECURITY.md). */
it.runIf(process.platform === 'linux')('a slice of the trial with swapped links escapes nowhere, and would without the check', async () => {
  const { figures } = await trial('race', '--operations', '1500', '--seed', '2', '--seconds', '120')
  const checked = Object.values(figures['checked'] as Record<string, { escapes: number; succeeded: number; refused: number }>)
  for (const { escapes, succeeded, refused } of checked) {
    expect(escapes).toBe(0)
    expect(Math.min(succeeded, refused)).toBeGreaterThan(0)
  }
  const unchecked = figures['unchecked'] as Record<string, { escapes: number }>
  expect(Object.values(unchecked).reduce((sum, { escapes }) => sum + escapes, 0)).toBeGreaterThan(0)
})

/** A slice of `npm run trial:index`: builds that are killed, two at once, and files that change between questions. */
it.skipIf(process.platform === 'win32')('a slice of the trial with the index of code gives no wrong answer', async () => {
  const { figures, stderr } = await trial('index', '--files', '60', '--kills', '1', '--pairs', '1', '--edits', '10', '--seed', '2')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ wrongAfterKill: 0, wrongInPairs: 0, wrongAfterEdit: 0 })
})

/** A slice of `npm run trial:fuzz`: texts that crash, hang or break a promise. */
it('a slice of the trial with changed texts finds none that breaks a promise', async () => {
  const { figures, stderr } = await trial('fuzz', '--seconds', '8', '--seed', '3')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ crashes: 0, hangs: 0, broken: 0, slow: 0 })
  for (const texts of Object.values(figures['texts'] as Record<string, number>)) expect(texts).toBeGreaterThan(0)
  expect(figures['coveredPlaces']).toBeGreaterThan(1000)
})

/** A slice of `npm run trial:planting`: a few calls, in one of the layouts. */
needing('bubblewrap', 'strace').it('a slice of the trial with planted files runs none outside of a sandbox', async () => {
  const { figures, stderr } = await trial(
    'planting', '--layouts', 'project,workspace,pnpm,tools,global', '--one', '--by-hand', '--calls', '^(?:config check|exec)$',
    '--seconds', '6', '--seed', process.env['HERMES_SEED'] ?? '2',
  )
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ fired: 0, died: 0 })
  const [layout] = Object.values(figures['layouts'] as Record<string, {
    controls: Record<string, boolean>; ownPackage: object; planted: { writable: { seen: number } }
  }>)
  expect(Object.entries(layout?.controls ?? {}).filter(([, isSo]) => !isSo)).toEqual([])
  expect(layout?.ownPackage).toMatchObject({ writableByRuns: 0 })
  expect(layout?.planted.writable.seen).toBeGreaterThan(0)
})

/** A slice of `npm run trial:survivors`. Only the namespaces of Linux hold whatever a command starts. */
needing('bubblewrap').it('a slice of the trial with daemons leaves no process alive', async () => {
  const { figures, stderr } = await trial('survivors', '--runs', '8', '--seed', '2', '--seconds', '15')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ survivors: 0 })
  expect(figures['begun']).toBeGreaterThan(0)
})

/** A slice of `npm run trial:replay`. Workers are found by /proc. */
it.runIf(process.platform === 'linux')('a slice of the trial with killed workers reports each transcript once', async () => {
  const { figures, stderr } = await trial('replay', '--transcripts', '150', '--kills', '8', '--seed', '2')
  expect(stderr).toMatch(/^(?:.* transcripts? · .*\n)*(?:Trajectories: .*\n)?$/)
  expect(figures).toMatchObject({ reported: 150, reportedTwice: 0, lost: 0, errors: 0, mixedUp: 0, summed: 150, leftBehind: 0 })
  expect(figures['kills']).toBeGreaterThan(0)
})

/** A slice of `npm run trial:replay` on the queue: workers, their processes and Redis are killed. */
describeWithRedis('on the queue', () => {
  it.runIf(process.platform === 'linux')('a slice of the trial with kills reports each transcript once', async () => {
    const { figures, stderr } = await trial('replay-queue', '--transcripts', '120', '--kills', '3', '--restarts', '1', '--seed', '3')
    expect(stderr).toBe('')
    expect(figures).toMatchObject({
      reported: 120, reportedTwice: 0, lost: 0, errors: 0, mixedUp: 0, summed: 120, leftOnQueue: 0, deadLetters: 0, leftBehind: 0,
      kills: { redis: 1 },
    })
  })
})
/** A slice of `npm run trial:watch`. */
it.skipIf(process.platform === 'win32')('a slice of the trial with a watch that is killed runs each answer once', async () => {
  const { figures, stderr } = await trial('watch', '--answers', '16', '--seed', '2', '--seconds', '4')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ ranTwice: 0, neverRan: 0, summariesRun: 0 })
  expect(figures['kills']).toBeGreaterThan(0)
})

/** A slice of `npm run trial:agent-kills`. */
it('a slice of the trial with killed agents loses no step and repeats none', async () => {
  const { figures, stderr } = await trial('agent-kills', '--runs', '2', '--seed', '2', '--steps', '3', '--kills', '3')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ runs: 2, finished: 2, missing: 0, repeated: 0 })
  expect(figures['kills']).toBeGreaterThan(0)
})

/** A slice of `npm run trial:agent-day`: a few of its steps, in one of the two styles. */
needing('bubblewrap', 'node-pty').it('a slice of the day finds files, history and conversations as expected', async () => {
  const { figures, stderr } = await trial('agent-day', '--steps', '5', '--seed', process.env['HERMES_SEED'] ?? '2')
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ steps: 5, wrong: 0 })
  expect(figures['checks']).toBeGreaterThan(50)
})

/** All of `npm run trial:repair`: it takes seconds. */
it('each class of fault is mended from the reply alone, a third by its fixes, none of them wrong', async () => {
  const { figures, stderr } = await trial('repair')
  expect(stderr).toBe('')
  const { classes, mended, fromReply } = figures as Record<string, number> & { fromReply: Record<string, number> }
  expect(classes).toBeGreaterThanOrEqual(32)
  expect(mended).toBe(classes)
  expect(fromReply['classes']).toBeGreaterThanOrEqual(40)
  expect(fromReply).toMatchObject({ mended: fromReply['classes'], withoutTurnWrong: 0 })
  expect(fromReply['withoutTurnShare']).toBeGreaterThanOrEqual(0.3)
})

/** A slice of `npm run trial:first-use`: with the built package in place of an installed one. */
needing('tmux').it('a slice of the trial of the first use sees what docs/getting-started.md shows', async () => {
  const { figures, stderr } = await trial('first-use', '--dist', fileURLToPath(new URL('../../dist', import.meta.url)))
  expect(stderr).toBe('')
  expect(figures).toMatchObject({ wrong: 0 })
})
