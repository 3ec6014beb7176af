import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listRuns } from '../../src/transaction/index.js'
import { Root } from './root.js'

/** As if hermes had been killed before the journal was closed. */
function openAgain({ directory }: Root, runId: string): void {
  const log = join(directory, '.hermes', 'journal', runId, 'log.jsonl')
  writeFileSync(log, readFileSync(log, 'utf8').split('\n').slice(0, -2).join('\n') + '\n')
}

async function stateOf(root: Root): Promise<string | undefined> {
  return (await listRuns(root.directory)).find(({ kind }) => kind === 'run')?.state
}

it.each(['undo', 'redo'] as const)('a %s that had done everything when it died is complete when it is finished', async (command) => {
  const root = new Root()
  root.put({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  await root.run({ 'a.txt': 'A\n', 'b.txt': null, 'dir/new': 'new\n' })
  await root.undo({ runId: 'run-undo' })
  if (command === 'redo') await root.redo({ runId: 'run-redo' })
  openAgain(root, `run-${command}`)
  expect((await root.recover(false)).restored).toBe(false)
  expect(await stateOf(root)).toBe(command === 'undo' ? 'undone' : 'applied')
  await root[command === 'undo' ? 'redo' : 'undo']()
  expect(root.text('a.txt')).toBe(command === 'undo' ? 'A\n' : 'a\n')
})

it('an undo that had not done everything is still in part', async () => {
  const root = new Root()
  root.put({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  await root.run({ 'a.txt': 'A\n', 'b.txt': 'B\n' })
  await root.undo({ runId: 'run-undo' })
  openAgain(root, 'run-undo')
  root.put({ 'a.txt': 'A\n' })
  await root.recover(false)
  expect(await stateOf(root)).toBe('partly undone')
})
