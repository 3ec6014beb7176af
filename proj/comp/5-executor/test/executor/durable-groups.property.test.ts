import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { defineVerb, type ExecutionResult, type HermesEvent } from '../../../0-contracts/src/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'
import { foundTree } from './trees.js'

type Call = readonly [verb: string, params: Record<string, unknown>]

const textOf = (calls: readonly Call[]): string => (
  calls.map(([verb, params], index) => shamBlock(`b${index}`, verb, params)).join('\n')
)

/** With files, a directory, links to each and a second name of a file. */
function makeRoot(): string {
  const root = join(tempDir(), 'root')
  mkdirSync(join(root, 'd'), { recursive: true })
  writeFileSync(join(root, 'a'), 'old a\n')
  writeFileSync(join(root, 'd/x'), 'old x\n')
  linkSync(join(root, 'a'), join(root, 'ah'))
  symlinkSync('d', join(root, 'dl'))
  symlinkSync('a', join(root, 'al'))
  return root
}

async function outcome(calls: readonly Call[], options: ExecutorOptions) {
  const root = makeRoot()
  const events: HermesEvent[] = []
  const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, onEvent: (event) => events.push(event), ...options })
  const { results, success } = await hermes.execute(textOf(calls))
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(root, 'ROOT'))
  return {
    tree: foundTree(root), success, results: plain(results.map((each) => ({ ...each, durationMs: 0 }))),
    changes: plain(events.flatMap((event) => (event.type === 'block-end' ? [event.changes] : []))),
  }
}

/** Its directory is gone before the file is written. */
const writeAndLoseDirectory = defineVerb({
  name: 'lose', vocabulary: 'hermes', description: 'A test.', category: 'file', version: '1.0.0', type: 'write',
  accessibility: ['llm'], constraints: [], primary: 'path', writesOneFile: true,
  args: v.strictObject({ path: v.string() }), result: v.strictObject({}), examples: [{ path: 'd/y' }],
  handler({ path }, { gate, files }) {
    const target = gate.approve(path, 'write')
    files.write(target, 'lost')
    rmSync(dirname(target), { recursive: true })
    return {}
  },
})

/** Someone else changes, makes and removes files meanwhile. */
const writeAndMeddle = defineVerb({
  name: 'meddle', vocabulary: 'hermes', description: 'A test.', category: 'file', version: '1.0.0', type: 'write',
  accessibility: ['llm'], constraints: [], primary: 'path', writesOneFile: true,
  args: v.strictObject({ path: v.string() }), result: v.strictObject({}), examples: [{ path: 'b' }],
  handler({ path }, { gate, files, session: { root } }) {
    files.write(gate.approve(path, 'write'), 'mine')
    for (const name of ['d/x', 'new']) writeFileSync(join(root, name), 'theirs\n')
    rmSync(join(root, 'gone'))
    return {}
  },
})

/** What a listing of the directory finds, with its content, when the file waits to be written. */
const writeAndList = defineVerb({
  name: 'list', vocabulary: 'hermes', description: 'A test.', category: 'file', version: '1.0.0', type: 'write',
  accessibility: ['llm'], constraints: [], primary: 'path', writesOneFile: true,
  args: v.strictObject({ path: v.string() }), result: v.strictObject({ content: v.optional(v.string()) }),
  examples: [{ path: 'd/y' }],
  handler({ path }, { gate, files, session: { root } }) {
    files.write(gate.approve(path, 'write'), 'listed')
    const directory = gate.approve(dirname(path), 'read')
    const approved = gate.approveEntry?.(directory, basename(path), 'read')
    return approved === undefined ? {} : { content: readFileSync(join(root, path), 'utf8') }
  },
})

const codes = ({ results }: ExecutionResult): unknown[] => results.map(({ success, code }) => code ?? success)

describe('writes of a durable run', () => {
  const path = fc.constantFrom('a', 'ah', 'b', 'al', 'd', 'd/x', 'd/y', 'dl/x', 'b/c', 'n/m/o', 'n/m', '../out')
  const content = fc.constantFrom('', 'one\n', 'two\n', 'three')
  const call: fc.Arbitrary<Call> = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('file_write', 'fs.writeFile'), fc.record({ path, content })) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('write_file'), fc.record({ path, content, overwrite: fc.boolean(), create_directories: fc.boolean() })) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('file_delete', 'file_read'), fc.record({ path })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('file_append'), fc.record({ path, content })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('file_move'), fc.record({ old_path: path, new_path: path })) },
  )

  it('end as they do one by one', async () => {
    let written = 0
    await fc.assert(fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 12 }), async (calls) => {
      const [together, each] = [await outcome(calls, { durable: true }), await outcome(calls, {})]
      written += Object.keys(together.tree).length
      expect(together).toEqual(each)
    }), {
      numRuns: 60, examples: [[[['file_write', { path: 'a', content: '' }], ['file_write', { path: 'ah', content: '' }]]]],
    })
    expect(written).toBeGreaterThan(isCampaign ? 45 : 30)
  })

  it.each([['kept', false], ['put back', true]])('are %s (atomic: %s)', async (_, atomic) => {
    const calls: Call[] = [['file_write', { path: 'b', content: 'b' }], ['file_write', { path: 'd', content: '' }], ['file_write', { path: 'c', content: 'c' }]]
    const { tree } = await outcome(calls, { durable: true, atomic })
    expect([tree.b, tree.c]).toEqual(atomic ? [undefined, undefined] : ['b', 'c'])
  })

  it('that fail when their turn comes fail alone', async () => {
    const root = makeRoot()
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, durable: true })
    hermes.registry.register(writeAndLoseDirectory)
    const calls: Call[] = [['file_write', { path: 'b', content: 'b' }], ['lose', { path: 'd/y' }], ['file_write', { path: 'c', content: 'c' }]]
    const events: HermesEvent[] = []
    const result = await hermes.execute(textOf(calls), { onEvent: (event) => events.push(event) })
    expect(codes(result)).toEqual([true, 'ENOENT', true])
    expect(result.results[1]?.error).toBe("ENOENT: no such file or directory, lose 'd/y'")
    expect(events.flatMap((event) => (event.type === 'block-end' ? [event.changes.length] : []))).toEqual([1, 0, 1])
    expect(foundTree(root)).toMatchObject({ b: 'b', c: 'c' })
  })

  it('stop where someone else changes a file that waits to be written, and show what', async () => {
    const root = makeRoot()
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, durable: true })
    hermes.registry.register(writeAndMeddle)
    const write = (name: string): Call => ['file_write', { path: name, content: `new ${name}\n` }]
    const calls: Call[] = [write('d/x'), write('new'), write('gone'), ['meddle', { path: 'b' }], write('c')]
    writeFileSync(join(root, 'gone'), 'old\n')
    const result = await hermes.execute(textOf(calls))
    expect(codes(result)).toEqual(['CHANGED_ON_DISK', 'CHANGED_ON_DISK', true, true, true])
    expect(result.results[0]?.hint).toMatch(/-old x\n\+theirs/)
    expect(result.results[0]?.error).toMatch(/^d\/x was changed/)
    expect(foundTree(root)).toMatchObject({ 'd/x': 'theirs\n', new: 'theirs\n', gone: 'new gone\n', b: 'mine', c: 'new c\n' })
    const again = await hermes.execute(textOf([write('d/x'), write('new')]))
    expect(codes(again)).toEqual([true, true])
  })

  it('are made before a listing hands them on', async () => {
    const root = makeRoot()
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, durable: true })
    hermes.registry.register(writeAndList)
    const { results } = await hermes.execute(textOf([['file_write', { path: 'b', content: 'b' }], ['list', { path: 'd/y' }]]))
    expect(results[1]?.data).toEqual({ content: 'listed' })
  })

  it('are made before the user is asked', async () => {
    const root = makeRoot()
    const seen: unknown[] = []
    const hermes = new Hermes({
      root, relativePaths: true, gitCommit: false, durable: true, policy: { verbs: { write: 'ask' } },
      approve: async () => {
        seen.push(foundTree(root).b)
        return 'once' as const
      },
    })
    await hermes.execute(textOf([['file_write', { path: 'b', content: 'b' }], ['file_write', { path: 'c', content: 'c' }]]))
    expect(seen).toEqual([undefined, 'b'])
  })

  it('stop where someone else has changed the file since it was read, and show what', async () => {
    const root = makeRoot()
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, durable: true })
    await hermes.execute(textOf([['file_read', { path: 'a' }], ['file_read', { path: 'd/x' }]]))
    writeFileSync(join(root, 'a'), 'old a\nother\n')
    const result = await hermes.execute(textOf([['file_write', { path: 'd/x', content: 'x' }], ['file_write', { path: 'a', content: 'a' }]]))
    expect(codes(result)).toEqual([true, 'CHANGED_ON_DISK'])
    expect(result.results[1]?.hint).toContain('+other')
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old a\nother\n')
  })
})
