import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../../test/support/goldens.js'
import { applyHunks, createdText, readUnified, readV4a } from '../../src/patches/index.js'

/**
 * A level-2 heading that ends in `exact` is a mode; fences are `before` (a file), `patch`, and `after`, or `error`
 * (of the patch, or of the first hunk that fails: `{line?, message, hint?}`), or `files` (what is read).
 */
for (const format of ['v4a', 'unified'] as const) {
  const cases = readGoldens(new URL(`../../test-data/patches/${format}.cases.md`, import.meta.url))
  describe.each([...new Set(cases.map(({ group }) => group))])(`${format}: %s`, (group) => {
    it.each(cases.filter((golden) => golden.group === group))('$name', (golden) => run(format, golden))
  })
}

async function run(format: 'v4a' | 'unified', golden: GoldenCase): Promise<void> {
  const patch = body(golden, 'patch') as string
  const reading = (format === 'v4a' ? readV4a : readUnified)(patch)
  const error = body(golden, 'error') as object | undefined
  if (reading.files === undefined) {
    expect(reading.problem).toMatchObject(error ?? { none: true })
    return
  }
  const files = body(golden, 'files')
  if (files !== undefined) {
    expect(JSON.parse(JSON.stringify(reading.files))).toMatchObject(files as object[])
    return
  }
  const [file] = reading.files
  const before = body(golden, 'before') as string | undefined
  if (file === undefined || before === undefined) {
    expect(file && createdText(file)).toBe(body(golden, 'after'))
    return
  }
  const match = golden.group.endsWith('exact') ? 'exact' : 'tolerant'
  const applied = await applyHunks(before, file.hunks, { path: file.oldPaths[0] ?? '', match, format })
  const outcomes = body(golden, 'outcomes')
  if (outcomes !== undefined) expect(applied.outcomes).toMatchObject(outcomes as object[])
  const failure = applied.outcomes.find((outcome) => outcome.failure !== undefined)?.failure
  if (error === undefined) expect(failure).toBeUndefined()
  else expect(failure).toMatchObject(error)
  expect(applied.text).toBe(body(golden, 'after'))
}

/** Plain fences are texts that end in a line feed; `json` ones are JSON, for texts with anything else in them. */
function body(golden: GoldenCase, name: string): unknown {
  const fence = golden.fences.find(({ info }) => info.split(' ').includes(name))
  if (fence === undefined) return undefined
  if (fence.info.startsWith('json')) return JSON.parse(fence.body)
  return fence.body === '' ? '' : `${fence.body}\n`
}
