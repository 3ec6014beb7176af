import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut } from '../../../../test/support/marker-soup.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import { type ExecutorOptions, execute, Hermes } from '../../src/executor/index.js'
import { expectAccounts, expectEvents, timeless } from './accounts.js'
import { anyAnswer, withoutCommands } from './answers.js'
import { foundTree } from './trees.js'

const RUNS = Number(process.env['RUNS'] ?? 300)

/** Fresh places for one run of a property, which are gone when it ends. */
function usingPlaces(): (run: (place: () => string) => Promise<void>) => Promise<void> {
  const directory = tempDir()
  return async (run) => {
    const own = mkdtempSync(join(directory, 'run-'))
    let count = 0
    try {
      await run(() => join(own, String(count++), 'root'))
    } finally {
      rmSync(own, { recursive: true })
    }
  }
}

async function streamed(chunks: readonly string[], options: ExecutorOptions): Promise<ExecutionResult> {
  const events: HermesEvent[] = []
  for await (const event of new Hermes(options).stream(chunks)) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error('no end')
  expectEvents(events, last.result)
  return last.result
}

/** A result without times, of this run and in listings. */
function settled(result: ExecutionResult, root: string): unknown {
  const text = JSON.stringify(timeless(result)).replaceAll(root, '<root>')
  return JSON.parse(text.replace(/"modified":"[^"]*"/g, '"modified":""')) as unknown
}

it('any text gives a result whose figures add up, and nothing outside of the root changes', async () => {
  const withPlaces = usingPlaces()
  await fc.assert(fc.asyncProperty(anyAnswer, fc.boolean(), (text, startsInThink) => withPlaces(async (place) => {
    const root = place()
    const events: HermesEvent[] = []
    const options = withoutCommands(root)
    const result = await execute(text, { ...options, startsInThink, onEvent: (event) => events.push(event) })
    expectAccounts(result)
    expectEvents(events, result)
    const outside = Object.keys(foundTree(root)).filter((path) => path.startsWith('..') || path.includes('.git'))
    expect(outside).toEqual([])
    expect(Object.keys(foundTree(root)).filter((path) => /hermes|tmp/.test(path))).toEqual([])
  })), { numRuns: RUNS })
})

it('a dry run tells the same and changes nothing', async () => {
  const withPlaces = usingPlaces()
  await fc.assert(fc.asyncProperty(anyAnswer, (text) => withPlaces(async (place) => {
    const [real, dry] = [place(), place()]
    // A dry run has no id: there is nothing to undo.
    const { runId: _, ...expected } = await execute(text, withoutCommands(real))
    const options = withoutCommands(dry)
    const before = foundTree(dry)
    const { dryRun, ...result } = await execute(text, { ...options, dryRun: true })
    expect(dryRun).toBe(true)
    expect(withoutSizes(settled(result, dry))).toEqual(
      withoutSizes(settled(expected, real)),
    )
    expect(foundTree(dry)).toEqual(before)
  })), { numRuns: RUNS })
})

/** Sizes of directories differ from one file system to another, and an overlay has none. */
function withoutSizes(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result).replace(/"type":"directory","size":\d+/g, '"type":"directory"')) as unknown
}

it('a stream gives the same however it is cut, where no closing think tag is a stray one', async () => {
  const withPlaces = usingPlaces()
  await fc.assert(fc.asyncProperty(anyAnswer, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => withPlaces(async (place) => {
    const [whole, pieces, letters] = [place(), place(), place()]
    const expected = await execute(text, withoutCommands(whole))
    const inPieces = await streamed(cut(text, cuts), withoutCommands(pieces))
    const inLetters = await streamed(text.split(''), withoutCommands(letters))
    expect(settled(inLetters, letters)).toEqual(settled(inPieces, pieces))
    expect(foundTree(letters)).toEqual(foundTree(pieces))
    fc.pre(!/<\/(think|thinking|reasoning)>/i.test(text.replaceAll('\n<think>\nHm.\n</think>\n', '')))
    fc.pre(!inPieces.parseErrors.some(({ error }) => error.code === 'STRAY_THINK_END'))
    expect(settled(inPieces, pieces)).toEqual(settled(expected, whole))
    expect(foundTree(pieces)).toEqual(foundTree(whole))
  })), { numRuns: RUNS })
})
