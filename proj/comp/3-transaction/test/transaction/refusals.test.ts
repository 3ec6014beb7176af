import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listRuns, readHistory } from '../../src/transaction/index.js'
import { Root } from './root.js'
import { rewriteLog } from './support/rewrite-log.js'

/** A root with one run, and its journal. */
async function afterRun(): Promise<{ root: Root; directory: string }> {
  const root = new Root()
  root.put({ 'a.txt': 'a\n' })
  await root.run({ 'a.txt': 'new\n' })
  const journal = join(root.directory, '.hermes/journal')
  return { root, directory: join(journal, readdirSync(journal)[0] ?? '') }
}

describe('what hermes keeps between runs', () => {
  it('that cannot be read is named by whatever needs it, and no defect', async () => {
    const { root, directory } = await afterRun()
    rmSync(join(directory, 'log.jsonl'))
    mkdirSync(join(directory, 'log.jsonl'))
    const refusal = { name: 'HermesError', code: 'EISDIR', message: expect.stringContaining('earlier runs'), hint: expect.stringContaining(directory) }
    await expect(root.undo()).rejects.toMatchObject(refusal)
    await expect(root.redo()).rejects.toMatchObject(refusal)
    await expect(root.recover(false)).rejects.toMatchObject(refusal)
    expect(await listRuns(root.directory)).toMatchObject([{ state: 'damaged' }])
    // A run needs none of it: it may have come with the folder.
    expect(await root.run({ 'b.txt': 'b\n' })).toMatchObject({ warnings: [] })
  })

  it('is of another version: it is said so', async () => {
    const { root, directory } = await afterRun()
    const log = join(directory, 'log.jsonl')
    writeFileSync(log, readFileSync(log, 'utf8').replace('"format":2', '"format":3'))
    await expect(root.undo()).rejects.toThrow(/another version of hermes/)
    rewriteLog(directory, ([begin, ...rest]) => [{ ...begin, format: 3 }, ...rest])
    expect(() => readHistory(root.directory)).toThrow(/another version of hermes/)
  })

  it('is damaged for one run: the others can be taken back', async () => {
    const { root, directory } = await afterRun()
    await root.run({ 'b.txt': 'b\n' })
    const log = join(directory, 'log.jsonl')
    const [begin, , ...rest] = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, [begin, 'garbage', ...rest].join('\n'))
    expect((await root.undo()).restored).toEqual(['b.txt'])
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK', message: expect.stringContaining(log) })
    expect((await listRuns(root.directory)).map(({ state }) => state)).toEqual(['applied', 'undone', 'damaged'])
  })

  it('lacks contents: undo says that the journal is not as it was', async () => {
    const { root, directory } = await afterRun()
    rmSync(join(directory, 'data'))
    expect((await root.undo()).left).toEqual([{ path: 'a.txt', reason: expect.stringContaining('The journal was changed') }])
  })

  it.skipIf(process.platform !== 'linux')('cannot be written at all: recover says where it is', async () => {
    const root = new Root()
    // No directory can be made there.
    Object.defineProperty(root, 'directory', { value: '/proc/self/fd' })
    await expect(root.recover(false)).rejects.toMatchObject({ name: 'HermesError', hint: expect.stringContaining('/proc/self/fd/.hermes') })
  })

  it('is not there where a file is in its place: there is nothing to undo', async () => {
    const root = new Root()
    root.put({ '.hermes': 'mine\n' })
    await expect(root.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await expect(root.recover(false)).rejects.toMatchObject({ code: 'POLICY_DENIED' })
  })
})
