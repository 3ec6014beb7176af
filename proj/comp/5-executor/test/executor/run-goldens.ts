import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { type ExecutionResult, type HermesEvent, isRecord } from '../../../0-contracts/src/index.js'
import { type ExecutorOptions, Hermes } from '../../src/executor/index.js'
import { expectAccounts, expectEvents } from './accounts.js'
import { testRegistry } from './test-verbs.js'
import { expectedTree, foundTree, plantTree, type Tree } from './trees.js'

type Way = 'execute' | 'stream' | 'dry run'

/** What a case says of the ways it is run in. */
interface Ways {
  /** False: what came before a stray closing think tag has run, or the text is not read to its end. */
  stream?: boolean
  /** False: commands are not started in a dry run, so only the tree is compared. */
  dryRun?: boolean
}

/** Parts of an `ExecutionResult`, with `matcher`'s forms in place of texts. */
export interface Expectation {
  results?: { data?: unknown; params?: unknown; hint?: unknown; fix?: unknown }[]
}

/**
 * Runs the cases of a golden file. Fences: `options`, `before` (the tree), one or more of `answer` and `expected`
 * (answered by one session, one after the other), `after` (no such fence: nothing changed), `ways`. `<root>` stands
 * for the temporary root everywhere. Each case runs as a whole, as a stream of single characters, and dry.
 *
 * Expectations name the fields they compare; arrays must have the same length, `data` (but for `sandbox`) and `params`
 * are compared whole.
 */
export function runGoldens(file: URL): void {
  const cases = readGoldens(file)
  for (const group of new Set(cases.map((golden) => golden.group))) {
    describe(group, () => {
      for (const golden of cases.filter((each) => each.group === group)) {
        it(golden.name, async () => {
          const { stream, dryRun } = bodies<Ways>(golden, 'ways')[0] ?? {}
          await runCase(golden, 'execute', true)
          if (stream !== false) await runCase(golden, 'stream', true)
          await runCase(golden, 'dry run', dryRun !== false)
        })
      }
    })
  }
}

async function runCase(golden: GoldenCase, way: Way, compare: boolean): Promise<void> {
  const root = join(tempDir(), 'project')
  const before = bodies<Tree>(golden, 'before', root)[0] ?? {}
  plantTree(root, before)
  const isDry = way === 'dry run' || options(golden, root).dryRun === true
  const results = await answer(golden, way, root)
  const expected = bodies<Expectation>(golden, 'expected', root)
  expect(expected).toHaveLength(results.length)
  for (const [index, result] of results.entries()) {
    expectAccounts(result, isDry)
    if (compare) expectMatch(result, expected[index] ?? {}, `${way}, answer ${index + 1}`)
  }
  const after = (isDry ? undefined : bodies<Tree>(golden, 'after', root)[0]) ?? before
  expect(foundTree(root), way).toEqual(expectedTree(after))
}

/** One result for each answer of a case. */
async function answer(golden: GoldenCase, way: Way, root: string): Promise<ExecutionResult[]> {
  const controller = new AbortController()
  let events: HermesEvent[] = []
  await using hermes = new Hermes({
    registry: testRegistry(() => controller.abort()),
    signal: controller.signal,
    rootAliases: ['/workspace'],
    sandbox: 'none', ...options(golden, root),
    ...(way === 'dry run' && { dryRun: true }),
    root,
    onEvent: (event) => events.push(event),
  })
  const results: ExecutionResult[] = []
  for (const { info, body } of golden.fences) {
    if (info.split(' ')[1] !== 'answer') continue
    const text = body.replaceAll('<root>', root)
    events = []
    if (way === 'stream') {
      const streamed: HermesEvent[] = []
      for await (const event of hermes.stream(text.split(''))) streamed.push(event)
      expect(streamed).toEqual(events)
    } else await hermes.execute(text)
    const end = events.at(-1)
    if (end?.type !== 'end') throw new Error('no end event')
    expectEvents(events, end.result)
    results.push(end.result)
  }
  return results
}

function options(golden: GoldenCase, root: string): ExecutorOptions {
  return bodies<ExecutorOptions>(golden, 'options', root)[0] ?? {}
}

export function bodies<T>(golden: GoldenCase, kind: string, root = ''): T[] {
  return golden.fences
    .filter(({ info }) => info.split(' ')[1] === kind)
    .map(({ body }) => JSON.parse(body.replaceAll('<root>', root)) as T)
}

/** Compares the fields an expectation names; `data` and `params` whole, and null for `hint` or `fix` is none. */
export function expectMatch(actual: ExecutionResult, { results = [], ...rest }: Expectation, label: string): void {
  expect(actual, label).toMatchObject(matcher(rest) as object)
  expect(actual.results, label).toHaveLength(results.length)
  for (const [index, { data, params, hint, fix, ...fields }] of results.entries()) {
    const found = actual.results[index]
    expect(found, label).toMatchObject(matcher(fields) as object)
    if (data !== undefined) expect(comparable(found?.data, data), label).toEqual(matcher(data))
    if (params !== undefined) expect(found?.params, label).toEqual(params)
    if (fix !== undefined) expect(found?.fix, label).toEqual(fix ?? undefined)
    if (hint !== undefined) expect(found?.hint, label).toEqual(hint === null ? undefined : matcher(hint))
  }
}

/** The seeds do not know which sandbox a command ran in: it is compared only where it is named. */
function comparable(found: unknown, expected: unknown): unknown {
  if (!isRecord(found) || !isRecord(expected) || 'sandbox' in expected) return found
  const { sandbox: _, ...rest } = found
  return rest
}

/** `{"contains": […]}` is a text with these parts in this order, `{"any": "number"}` any value of a type. */
export function matcher(expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null) return expected
  if (Array.isArray(expected)) return expected.map(matcher)
  if ('contains' in expected) return expect.stringMatching(parts([expected.contains].flat() as string[]))
  if ('any' in expected) return expected.any === 'number' ? expect.any(Number) : expect.any(String)
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, matcher(value)]))
}

function parts(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[^\w\s]/gu, '\\$&')).join('[^]*'))
}
