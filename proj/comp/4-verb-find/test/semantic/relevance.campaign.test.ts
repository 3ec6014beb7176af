import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { pathsFor } from './run-search.js'

interface RelevanceCase {
  set: 'tune' | 'report'
  query: string
  path: string
  also?: string[]
}

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const { cases } = JSON.parse(
  readFileSync(new URL('../../test-data/semantic/relevance.cases.json', import.meta.url), 'utf8'),
) as { cases: RelevanceCase[] }
/** They hold the queries themselves. */
const LEFT_OUT = /^proj\/(?:trials|node_modules|comp\/4-verb-find\/(?:test|test-data)\/semantic)(?:\/|$)/

it('every expected file is there', () => {
  const paths = cases.flatMap(({ path, also = [] }) => [path, ...also])
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

/** The whole of it, with figures: npm run trial:semantic. */
it('finds six in ten of the queries among the first five files', async () => {
  const copy = tempDir()
  const keep = (source: string): boolean => !LEFT_OUT.test(relative(root, source).replaceAll('\\', '/'))
  cpSync(join(root, 'proj'), join(copy, 'proj'), { recursive: true, preserveTimestamps: true, filter: keep })
  const context = contextFor(copy, 'disk', { maxFileBytes: 10_000_000 })
  const queries = cases.filter(({ set }) => set === 'report')
  const missed: string[] = []
  for (const { query, path, also = [] } of queries) {
    const found = (await pathsFor(context, query, { max_results: 100 })).slice(0, 5)
    if (![path, ...also].some((wanted) => found.includes(wanted))) missed.push(query)
  }
  expect(missed.length / queries.length, missed.join('; ')).toBeLessThanOrEqual(0.4)
}, 300_000)
