import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type ExecutionResult, Hermes } from '../src/index.js'
import { readTree } from './support/file-tree.js'
import { readGoldens } from './support/goldens.js'
import { tempDir } from './support/temp-dir.js'

const goldens = readGoldens(fileURLToPath(new URL('../../test-data/parse-sham-response.md', import.meta.url)))

describe('parse and validation in a dry run (seed 002, parseShamResponse)', () => {
  it.each(goldens)('$name', async ({ fences }) => {
    const [text, expected] = fences
    const root = tempDir()
    const hermes = new Hermes({ root, rootAliases: ['/tmp'], dryRun: true })
    const result = await hermes.execute(text?.body ?? '')
    expect(asSeed(result)).toMatchObject(JSON.parse(expected?.body ?? '') as object)
    expect(readTree(root), 'a dry run writes nothing').toEqual({})
  })
})

/** The seed's shape: what would run, what would not and why, and how many. */
function asSeed({ results, parseErrors, totalBlocks }: ExecutionResult): object {
  const actions = results.filter(({ success }) => success).map(({ action, params, blockId, startLine, endLine }) => {
    const { action: _, ...parameters } = params
    return { action, parameters, metadata: { blockId, startLine, endLine } }
  })
  const invalid = results.filter(({ success }) => !success).map(({ blockId, action, code, error, startLine }) => (
    { blockId, action, code, message: error, blockStartLine: startLine }
  ))
  const unread = parseErrors.map(({ blockId, startLine, error: { code, message } }) => (
    { blockId, code, message, blockStartLine: startLine }
  ))
  const errors = [...unread, ...invalid]
  return { actions, errors, summary: { totalBlocks, successCount: actions.length, errorCount: errors.length } }
}
