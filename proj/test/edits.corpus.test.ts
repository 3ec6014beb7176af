import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EDIT_FORMATS, type ExecutionResult } from '../comp/0-contracts/src/index.js'
import { Hermes } from '../comp/5-executor/src/executor/index.js'
import { isCampaign, spread } from './support/campaign.js'
import { type EditCase, foundCase, plantCase, readEditCases } from './support/edit-cases.js'
import { tempDir } from './support/temp-dir.js'

const directory = new URL('../../test-data/edits/', import.meta.url)
const files = readdirSync(directory).filter((name) => name.endsWith('.md') && name !== 'README.md')
const corpus = files.map((name) => ({ name, cases: readEditCases(new URL(name, directory)) }))

type Way = 'execute' | 'stream' | 'dry run'
const WAYS: readonly Way[] = ['execute', 'stream', 'dry run']
/** UTF-16 units of a text. */
const LARGE = 100_000

for (const { name, cases } of corpus) {
  describe(name, () => {
    for (const [index, edit] of spread(cases, name === 'large.md' ? 6 : 4).entries()) {
      it(`${edit.group}: ${edit.name}`, async () => {
        for (const way of waysFor(edit, index)) await runCase(edit, way)
      })
    }
  })
}

it('has the cases that issue 7 asks for', () => {
  expect(corpus.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(300)
})

/** All in a campaign; otherwise each case is executed, and either streamed or run dry. */
function waysFor(edit: EditCase, index: number): readonly Way[] {
  // Once is enough for them: the ways differ in what does not depend on size.
  if (isLarge(edit)) return ['execute']
  return isCampaign ? WAYS : ['execute', index % 2 === 0 ? 'stream' : 'dry run']
}

function isLarge({ before }: EditCase): boolean {
  return Object.values(before).some(({ text }) => text.length > LARGE)
}

async function runCase({ answer, options, before, after, results }: EditCase, way: Way): Promise<void> {
  const root = join(tempDir(), 'project')
  plantCase(root, before)
  const result = await run(root, answer, options, way)
  expect(shown(result, results), way).toEqual(results)
  const found = foundCase(root)
  const expected = way === 'dry run' || options.dryRun === true ? before : after
  // The difference of a large file is no message.
  for (const path of Object.keys({ ...found, ...expected })) {
    const [text, wanted] = [found[path]?.text, expected[path]?.text]
    if ((text ?? wanted ?? '').length > LARGE) expect(text === wanted, `${way}: ${path} is as expected`).toBe(true)
    else expect({ path, way, file: found[path] }).toEqual({ path, way, file: expected[path] })
  }
}

async function run(root: string, answer: string, options: object, way: Way): Promise<ExecutionResult> {
  const settings = {
    editFormats: EDIT_FORMATS, relativePaths: true, rootAliases: ['/workspace'], ...options, root,
  }
  await using hermes = new Hermes({ ...settings, ...(way === 'dry run' && { dryRun: true }) })
  if (way !== 'stream') return await hermes.execute(answer)
  let last: ExecutionResult | undefined
  for await (const event of hermes.stream(answer.split(''))) if (event.type === 'end') last = event.result
  if (!last) throw new Error('no end event')
  return last
}

/** The result as the case would say it: as it expects it where that is true of it. */
function shown({ results, parseErrors, skipped }: ExecutionResult, expected: readonly string[]): string[] {
  const found = [
    ...results.map(({ success, code = '', data, error, hint, startLine }) => ({
      at: startLine, words: [success ? 'ok' : code, ...(success ? wordsOf(data) : [])],
      text: [error, hint].filter((part) => part !== undefined).join('\n'),
    })),
    ...parseErrors.map(({ startLine, error }) => ({
      at: startLine, words: ['parse', error.code], text: `${error.message}\n${error.hint ?? ''}`,
    })),
    ...skipped.map(({ startLine, reason }) => ({ at: startLine, words: ['skipped'], text: reason })),
  ].toSorted((a, b) => a.at - b.at)
  return found.map(({ words, text }, index) => {
    const [status = '', ...parts] = (expected[index] ?? '').split(' | ')
    const named = status.split(' ')
    const isFitting = named.every((word) => words.includes(word)) && named[0] === words[0]
    const shownText = text.replaceAll('\n', ' ¶ ')
    const missing = parts.filter((part) => !shownText.includes(part))
    return isFitting && missing.length === 0 ? expected[index] ?? '' : [words.join(' '), shownText].join(' | ')
  })
}

/** What is special about a success, `plain` where nothing is. */
function wordsOf(data: unknown): string[] {
  const { match, alreadyApplied, created, startLine, endLine, files: list } = (data ?? {}) as Record<string, unknown>
  const words = [
    ...(typeof match === 'string' ? [match] : []),
    ...(alreadyApplied === true ? ['applied'] : ['changed']),
    ...(created === true ? ['created'] : []),
    ...(typeof startLine === 'number' ? [`lines:${startLine}-${String(endLine)}`] : []),
  ]
  const changes = Array.isArray(list) ? list.map(({ change }: { change: string }) => change) : []
  return [...words, ...changes]
}
