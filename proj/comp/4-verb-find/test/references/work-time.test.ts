import { describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { KeptResource, VerbContext } from '../../../0-contracts/src/index.js'
import { WorkTime } from '../../src/symbols/references/work-time.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { referencesOf } from './references-of.js'

const TREES: [language: string, tree: Record<string, string>][] = [
  ['TypeScript', {
    'tsconfig.json': '{ "include": ["."] }',
    'a.ts': 'export function work() {}\n',
    ...Object.fromEntries([...'bcdefg'].map((name) => [
      `${name}.ts`, `import { work } from './a'\nwork()\nimport('./other').then((o) => o.work())\n`,
    ])),
    'other.ts': 'export const work = (): void => {}\n',
  }],
  ['Python', {
    'a.py': 'def work(): pass\n',
    ...Object.fromEntries([...'bcdefg'].map((name) => [`${name}.py`, 'from a import work\nwork()\n'])),
  }],
  ['Java', {
    'a/A.java': 'package a; public class A { public static void work() {} }\n',
    ...Object.fromEntries([...'bcdefg'].map((name) => [
      `b/${name}.java`, 'package b; import static a.A.work; class B { void f() { work(); } }\n',
    ])),
  }],
]

function sessionIn(root: string): VerbContext {
  const context = contextFor(root, 'disk')
  return { ...context, session: { ...context.session, kept: new Map<string, KeptResource>() } }
}

/** A clock that is a millisecond further whenever it is looked at. */
function ticking(): () => number {
  let now = 0
  return () => now++
}

describe.each(TREES)('references in %s', (_, tree) => {
  it('are by name where there is no time for them', async () => {
    const root = tempDir()
    plant(root, tree)
    const context = sessionIn(root)
    const { references, undecided, unrelated } = await referencesOf('work', context, new WorkTime(context.signal, 0))
    expect(references.length).toBeGreaterThan(10)
    expect(references.filter(({ resolved }) => resolved)).toEqual([])
    expect({ undecided, unrelated }).toEqual({ undecided: references.length, unrelated: 0 })
  })

  it.each([1, 4, 15, 40])('are all resolved in the end by calls of %s looks at the clock, or more', async (start) => {
    const root = tempDir()
    plant(root, tree)
    const whole = await referencesOf('work', contextFor(root, 'disk'))
    expect(whole.undecided).toBe(0)
    const context = sessionIn(root)
    const limits = Array.from({ length: 12 }, (_empty, round) => start * 2 ** round)
    let last = await referencesOf('work', context, new WorkTime(context.signal, limits[0], ticking()))
    for (const limit of limits.slice(1)) {
      const next = await referencesOf('work', context, new WorkTime(context.signal, limit, ticking()))
      expect(next.references.length + next.unrelated).toBe(whole.references.length + whole.unrelated)
      expect(next.undecided).toBeLessThanOrEqual(last.undecided)
      last = next
    }
    expect(last).toEqual(whole)
  })

  it('are cancelled', async () => {
    const root = tempDir()
    plant(root, tree)
    const controller = new AbortController()
    let looks = 0
    const clock = (): number => {
      if (++looks === 3) setImmediate(() => controller.abort())
      return 0
    }
    const context = { ...sessionIn(root), signal: controller.signal }
    const found = referencesOf('work', context, new WorkTime(controller.signal, 1, clock))
    await expect(found).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

it('in many files of TypeScript the first are decided first', async () => {
  const root = tempDir()
  const names = Array.from({ length: 250 }, (_, each) => `f${String(each).padStart(3, '0')}.ts`)
  const uses = Object.fromEntries(names.map((name) => [name, "import { work } from './a'\nwork()\n"]))
  plant(root, { 'tsconfig.json': '{ "include": ["."] }', 'a.ts': 'export function work() {}\n', ...uses })
  const context = sessionIn(root)
  const { references, undecided } = await referencesOf('work', context, new WorkTime(context.signal, 500, ticking()))
  const resolved = references.filter(({ resolved: is }) => is)
  expect(resolved).toEqual(references.slice(0, 50))
  expect(undecided).toBe(references.length - resolved.length)
  expect(await referencesOf('work', context)).toMatchObject({ undecided: 0, unrelated: 0 })
})

it('find_symbol says how many references are not decided, and how to go on', async () => {
  const root = tempDir()
  plant(root, TREES[1]![1])
  const hints: string[] = []
  const session = sessionIn(root)
  const context: VerbContext = {
    ...session, advise: (hint) => hints.push(hint), limits: { ...session.limits, maxMatches: 50 },
  }
  const args = { symbol_name: 'work', include_references: true }
  const isOver = vi.spyOn(WorkTime.prototype, 'isOver', 'get').mockReturnValue(true)
  const limited = await runVerb('find_symbol', args, context)
  isOver.mockRestore()
  expect(limited).toMatchObject({ data: { undecided: 12, symbols: [{ path: 'a.py' }] } })
  expect(hints).toEqual([expect.stringMatching(/^12 references could not be resolved in 5 s of work.*call again/)])
  expect(await runVerb('find_symbol', args, context)).not.toHaveProperty('data.undecided')
})
