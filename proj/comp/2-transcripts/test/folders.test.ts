import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { contentHash, readTranscripts, type ReadItem, type Transcript } from '../src/index.js'
import { orNothing } from '../../0-contracts/src/index.js'
import { renderTurns } from './render-turns.js'

async function read(items: AsyncIterable<ReadItem>): Promise<Transcript[]> {
  const transcripts: Transcript[] = []
  for await (const item of items) {
    if ('bad' in item) throw new Error(item.bad.message)
    transcripts.push(item.transcript)
  }
  return transcripts
}

it('a folder is read in order, its markdown files as one conversation', async () => {
  const directory = tempDir()
  writeTree(directory, {
    'b.jsonl': '{"messages":[]}\n{"messages":[]}\n',
    'a.traj': '{"history":[]}',
    'talk/10.md': 'ten', 'talk/9.md': 'nine', 'talk/README.md': 'not an answer',
    'talk/9.md.results.json': '{"results":[{"success":true,"data":1}]}',
    '.hidden/x.jsonl': 'x', 'node_modules/x.jsonl': 'x', 'fixture/package.json': '{}', 'replay.yaml': '', 'notes.txt': 'x',
  })
  const transcripts = await read(readTranscripts([directory], { except: [join(directory, 'fixture')] }))
  expect(transcripts.map(({ name, format }) => `${name} ${format}`)).toEqual([
    'a.traj swe-agent', 'b.jsonl openai', 'b.jsonl#2 openai', 'talk markdown',
  ])
  expect(renderTurns(transcripts[3] ?? { turns: [] })).toEqual([
    'assistant', '  says: nine', 'result ok (outcome): {"success":true,"data":1}', 'assistant', '  says: ten',
  ])
})

it.runIf(process.platform === 'linux')('a folder leaves no file open that was only looked at', async () => {
  const directory = tempDir()
  writeTree(directory, { 'talk/1.md': 'one\n', 'talk/2.md': 'two\n' })
  await read(readTranscripts([directory]))
  const open = (): string[] => readdirSync('/proc/self/fd').flatMap((fd) => {
    const file = orNothing(() => readlinkSync(`/proc/self/fd/${fd}`), '')
    return file.startsWith(directory) ? [file] : []
  })
  await expect.poll(open, { timeout: 5000 }).toEqual([])
})

it('a transcript is known by its content, not by its place', async () => {
  const directory = tempDir()
  const line = '{"messages":[{"role":"assistant","content":"x"},{"role":"tool","content":"y"}]}'
  const other = line.replace('"y"', '"z"')
  writeTree(directory, { 'a.jsonl': `${line}\n${other}\n`, 'b.json': `[${line.replaceAll(':', ' : ')}]` })
  const [first, second, third] = (await read(readTranscripts([directory]))).map(contentHash)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(third).toBe(first)
  expect(second).not.toBe(first)
})
