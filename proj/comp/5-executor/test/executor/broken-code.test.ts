import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { type ExecutorOptions, Hermes } from '../../src/executor/index.js'

const call = (verb: string, args: object) => (
  ['```json hermes', JSON.stringify({ verb, arguments: args }), '```'].join('\n')
)
const edit = (path: string, oldText: string, newText: string) => (
  call('edit_replace', { path, old_text: oldText, new_text: newText })
)
const CODE = '/** Adds. */\nexport async function add(a: number) {\n  return a\n}\n\nexport const b = 1\n'

/** However busy the machine is. */
const PATIENT_MS = 600_000

async function run(files: Record<string, string | Uint8Array>, text: string, options: ExecutorOptions = {}) {
  const root = tempDir()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
  const result = await new Hermes({ root, gitCommit: false, syntaxMs: PATIENT_MS, ...options }).execute(text)
  return { root, result, results: result.results }
}

describe('edits that know what they broke', () => {
  it('name new parse errors, succeed all the same, and say so in the reply', async () => {
    const { root, result, results: [first] } = await run({ 'a.ts': CODE }, edit('a.ts', '  return a\n}', '  return a'))
    expect(first).toMatchObject({
      success: true,
      broke: [{ path: 'a.ts', parseErrors: [{ line: 5, text: 'export const b = 1' }], dropped: [] }],
    })
    expect(first?.hint).toBe('a.ts has new parse errors: line 5 "export const b = 1" (no }).')
    expect(result.reply()).toContain('a.ts has new parse errors')
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(CODE.replace('\n}', ''))
  })

  it('name what a declaration lost, in a dry run too', async () => {
    const text = edit('a.ts', '/** Adds. */\nexport async function add(a: number) {', 'function add(a: number) {')
    const lost = [{ path: 'a.ts', parseErrors: [], dropped: [
      { name: 'add', line: 1, marks: ['export', 'async', 'its doc comment'] },
    ] }]
    for (const dryRun of [false, true]) {
      const { results: [first] } = await run({ 'a.ts': CODE }, text, { dryRun })
      expect(first?.broke).toEqual(lost)
      expect(first?.hint).toContain('a.ts: add lost export, async, its doc comment.')
    }
  })

  it('tell it of every verb and format that writes', async () => {
    const patch = '*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = (\n*** End Patch'
    const writes = [
      call('edit_replace', { path: 'a.py', old_text: 'x = 1', new_text: 'x = (' }), call('apply_patch', { patch }),
      call('file_insert', { path: 'a.py', line: 1, new_text: 'y = (\n' }),
    ]
    for (const write of writes) {
      const { results: [first] } = await run({ 'a.py': 'x = 1\n' }, write)
      expect(first, write).toMatchObject({ success: true, broke: [{ dropped: [] }] })
    }
  })

  it('tell of blocks in a row once, with the last of them', async () => {
    const text = [
      edit('a.ts', '  return a', '  return (a'), edit('a.ts', 'export const b = 1', 'export const b = 2'),
    ].join('\n\n')
    const { results } = await run({ 'a.ts': CODE }, text)
    expect(results.map(({ success, broke }) => [success, broke?.length])).toEqual([[true, undefined], [true, 1]])
    const mended = [
      edit('a.ts', '  return a', '  return (a'), edit('a.ts', '  return (a', '  return (a)'),
    ].join('\n\n')
    expect((await run({ 'a.ts': CODE }, mended)).results.map(({ broke }) => broke)).toEqual([undefined, undefined])
  })

  it('tell nothing of what was broken before, of other files, and of what is too large', async () => {
    const quiet = async (name: string, before: string | Uint8Array, write: string) => {
      const { results: [first] } = await run({ [name]: before }, write)
      expect(first).toMatchObject({ success: true })
      expect(first?.broke).toBeUndefined()
    }
    await quiet('a.ts', `const x = (\n${CODE}`, edit('a.ts', '  return a', '  return a + 1'))
    await quiet('a.txt', 'a\n', edit('a.txt', 'a', 'a {'))
    const large = `x = 1\n${'# more\n'.repeat(160_000)}`
    await quiet('a.py', large, edit('a.py', 'x = 1', 'x = ('))
  })

  it('are no failure where code is nested too deeply, or takes too long, to be looked at', async () => {
    for (const text of ['('.repeat(20_000), `x = ${'['.repeat(20_000)} 1 $ 2 ${']'.repeat(20_000)}`]) {
      for (const options of [{}, { syntaxMs: 0 }]) {
        const { results } = await run({ 'a.py': 'x = 1\n' }, edit('a.py', 'x = 1', text), options)
        expect(results).toMatchObject([{ success: true }])
      }
    }
  })
})
