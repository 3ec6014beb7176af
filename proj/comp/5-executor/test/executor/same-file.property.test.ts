import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { HermesEvent } from '../../../0-contracts/src/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { Hermes } from '../../src/executor/index.js'

const edit = (id: string, oldText: string, newText: string, path = 'a.txt') => (
  ['```json hermes', JSON.stringify({ id, verb: 'edit_replace', arguments: { path, old_text: oldText, new_text: newText } }), '```'].join('\n')
)

describe('edits of one file in a row', () => {
  it('each see what those before did, fail alone, and write the file once', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    const events: HermesEvent[] = []
    const hermes = new Hermes({ root, gitCommit: false, onEvent: (event) => events.push(event) })
    const text = [edit('e1', 'one', '1'), edit('e2', 'nowhere', 'x'), edit('e3', '1\ntwo', '1\n2'), edit('e4', 'three', '3')]
    const { results, executedActions } = await hermes.execute(text.join('\n\n'))
    expect(results.map(({ success, code }) => code ?? success)).toEqual([true, 'TEXT_NOT_FOUND', true, true])
    expect(results[1]?.hint).toContain('This file was changed earlier in this run')
    expect(executedActions).toBe(4)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('1\n2\n3\n')
    const ends = events.filter((event) => event.type === 'block-end')
    expect(ends.map(({ changes }) => changes.length)).toEqual([0, 0, 0, 1])
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual(['block-start', 'block-end', 'block-start', 'block-end'])
  })

  it('write before another file is looked at, and after a file was made', async () => {
    const root = tempDir()
    const text = [
      edit('e1', '', 'one\ntwo\n'), edit('e2', 'one', '1'), edit('e3', '', 'x'), edit('e4', 'two', '2'),
      edit('e5', '', 'b\n', 'b.txt'), edit('e6', '2', 'II'),
    ]
    const { results } = await new Hermes({ root, gitCommit: false }).execute(text.join('\n\n'))
    expect(results.map(({ success, code }) => code ?? success)).toEqual([true, true, 'EEXIST', true, true, true])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('1\nII\n')
  })

  it('all fail where the file changed meanwhile', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\n')
    const hermes = new Hermes({ root, gitCommit: false })
    await hermes.execute(edit('e0', 'one', 'uno'))
    writeFileSync(join(root, 'a.txt'), 'uno\ntwo\nother\n')
    const { results, success } = await hermes.execute([edit('e1', 'uno', '1'), edit('e2', 'no such', ''), edit('e3', 'two', '2')].join('\n\n'))
    expect(results.map(({ code }) => code)).toEqual(['CHANGED_ON_DISK', 'TEXT_NOT_FOUND', 'CHANGED_ON_DISK'])
    expect(results[2]?.hint).toContain('+other')
    expect(success).toBe(false)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('uno\ntwo\nother\n')
  })

  it('are taken back together where the run is atomic', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\n')
    const hermes = new Hermes({ root, gitCommit: false, atomic: true })
    const result = await hermes.execute([edit('e1', 'one', '1'), edit('e2', 'no such', ''), edit('e3', 'two', '2')].join('\n\n'))
    expect(result).toMatchObject({ success: false, rolledBack: true })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it('keep to the limits of the run', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    const text = [edit('e1', 'one', '1'), edit('e2', 'two', '2'), edit('e3', 'three', '3')].join('\n\n')
    const few = await new Hermes({ root, gitCommit: false, limits: { maxBlocks: 2 } }).execute(text)
    expect(few.results.map(({ code }) => code)).toEqual([undefined, undefined, 'POLICY_DENIED'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('1\n2\nthree\n')
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    const little = await new Hermes({ root, gitCommit: false, limits: { maxWrittenBytes: 5 } }).execute(text)
    expect(little.results.map(({ code }) => code)).toEqual(['POLICY_DENIED', 'POLICY_DENIED', 'POLICY_DENIED'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  })

  it('are each asked for where the policy asks before a write', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    const answers = ['once', 'deny', 'once'] as const
    let asked = 0
    const hermes = new Hermes({
      root, gitCommit: false, policy: { verbs: { write: 'ask' } }, approve: async () => answers[asked++] ?? 'deny',
    })
    const { results } = await hermes.execute([edit('e1', 'one', '1'), edit('e2', 'two', '2'), edit('e3', 'three', '3')].join('\n\n'))
    expect(results.map(({ code }) => code)).toEqual([undefined, 'APPROVAL_DENIED', undefined])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('1\ntwo\n3\n')
  })

  it('keep mode and change nothing where the directory is missing', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'd'))
    writeFileSync(join(root, 'd/a.sh'), 'one\ntwo\n')
    chmodSync(join(root, 'd/a.sh'), 0o751)
    const text = [edit('e1', 'one', '1', 'd/a.sh'), edit('e2', 'two', '2', 'd/a.sh'), edit('e3', 'x', 'y', 'no/a'), edit('e4', 'x', 'y', 'no/a')]
    const { results } = await new Hermes({ root, gitCommit: false }).execute(text.join('\n\n'))
    expect(results.map(({ code }) => code)).toEqual([undefined, undefined, 'ENOENT', 'ENOENT'])
    expect(readFileSync(join(root, 'd/a.sh'), 'utf8')).toBe('1\n2\n')
    expect(statSync(join(root, 'd/a.sh')).mode & 0o777).toBe(0o751)
  })
})

describe('replacements in one file in a row', () => {
  const unit = fc.constantFrom('a', 'b', 'ü', '\n', '...')
  const words = (minLength: number) => fc.string({ unit, minLength, maxLength: 4 })

  it('end as they do one by one', async () => {
    let succeeded = 0
    await fc.assert(fc.asyncProperty(
      fc.string({ unit, maxLength: 30 }), fc.array(fc.tuple(words(1), words(0)), { minLength: 2, maxLength: 12 }),
      async (text, edits) => {
        const blocks = edits.map(([old_text, new_text], index) => shamBlock(`e${index}`, 'file_replace_text', { path: 'a.txt', old_text, new_text }))
        const outcomes = await Promise.all([[blocks.join('\n')], blocks].map(async (answers) => {
          const root = tempDir()
          writeFileSync(join(root, 'a.txt'), text)
          const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, limits: { maxFileBytes: 60 } })
          const results = []
          for (const answer of answers) results.push(...(await hermes.execute(answer)).results)
          return {
            file: readFileSync(join(root, 'a.txt'), 'utf8'),
            results: results.map(({ success, error, code, data }) => ({ success, error, code, data })),
          }
        }))
        succeeded += outcomes[0]!.results.filter(({ success }) => success).length
        expect(outcomes[0]).toEqual(outcomes[1])
      },
    ), { numRuns: 250 })
    expect(succeeded).toBeGreaterThan(isCampaign ? 8 : 1)
  })
})
