import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readTranscripts, recordedOutcome } from '../../../2-transcripts/src/index.js'
import { updateRecords, type Update } from '../../src/replay/index.js'
import type { MadeResult } from '../../src/replay/replay-transcript.js'

const BEGINS = '"id": 12345678901234567890, "ratio": 1.0, "note": "\\u00e9", "note": "2", "messages": ['
const MESSAGES = '{"role": "assistant", "content": "<tool_call>{\\"name\\": \\"ls\\"}</tool_call>"}, {"role": "tool", "content": "WRONG"}'
const RECORD = `{${BEGINS}${MESSAGES}]}`
const NOW = RECORD.replace('WRONG', 'now "it"'.replaceAll('"', '\\"'))

/** Each recorded result of what is in the paths, with other words. */
async function drifted(...paths: string[]): Promise<Update[]> {
  const updates: Update[] = []
  for await (const item of readTranscripts(paths)) {
    if (!('transcript' in item)) continue
    const { transcript } = item
    let turn = 0
    const results = transcript.turns.flatMap((one): MadeResult[][] => {
      if (one.role === 'assistant') turn++
      if (one.role !== 'results') return []
      return [one.results.map(({ place, outcome }) => ({
        turn, outcome: 'changed', result: { ...(outcome ? recordedOutcome({ success: true, data: { now: turn } }) : { text: 'now "it"' }), ...(place && { place }) },
      }))]
    })
    updates.push({ transcript, results })
  }
  return updates
}

describe('updateRecords', () => {
  it.each<[what: string, name: string, before: string, after: string]>([
    ['numbers, names that are there twice, spaces and escapes', 't.jsonl', `${RECORD}\n\n{cut\n${RECORD}`, `${NOW}\n\n{cut\n${NOW}`],
    ['CRLF', 't.jsonl', `${RECORD}\r\n${RECORD}\r\n`, `${NOW}\r\n${NOW}\r\n`],
    ['a byte order mark', 't.jsonl', `\uFEFF${RECORD}\n${RECORD}\n`, `\uFEFF${NOW}\n${NOW}\n`],
    ['the layout of an array', 't.json', `[\r\n\t${RECORD} ,\r\n\t${RECORD}\r\n]\r\n`, `[\r\n\t${NOW} ,\r\n\t${NOW}\r\n]\r\n`],
    ['an array that was cut off', 't.json', `[${RECORD}, ${RECORD}, {"messages": [`, `[${NOW}, ${NOW}, {"messages": [`],
    ['records in a row', 't.json', `{\n ${RECORD.slice(1)}\n{\n ${RECORD.slice(1)}\n`, `{\n ${NOW.slice(1)}\n{\n ${NOW.slice(1)}\n`],
    ['lists of messages, a line each', 't.jsonl', `[${MESSAGES}]\n[${MESSAGES}]\n`, `[${MESSAGES}]\n[${MESSAGES}]\n`.replaceAll('WRONG', 'now \\"it\\"')],
    ['one such line', 't.jsonl', `[${MESSAGES}]\n`, `[${MESSAGES}]\n`.replaceAll('WRONG', 'now \\"it\\"')],
    ['messages, a line each, some of them cut off', 't.jsonl', `${MESSAGES.replace('}, {', '}\n{cut\n{')}\n`, `${MESSAGES.replace('}, {', '}\n{cut\n{')}\n`.replace('WRONG', 'now \\"it\\"')],
    ['messages, among them a conversation', 't.jsonl', `${MESSAGES.replace('}, {', `}\n${RECORD}\n{`)}\n`, `${MESSAGES.replace('}, {', `}\n${RECORD}\n{`).replace(/WRONG(?="\}$)/, 'now \\"it\\"')}\n`],
    ['the last of two results of a name', 't.json', RECORD.replace('"WRONG"', '"x", "content": "WRONG"'), NOW.replace('"now', '"x", "content": "now')],
  ])('keeps %s', async (_, name, before, after) => {
    const file = join(tempDir(), name)
    writeFileSync(file, before)
    expect(await updateRecords(await drifted(file))).toMatchObject({ files: [file], without: 0, failed: [] })
    expect(readFileSync(file, 'utf8')).toBe(after)
  })

  it('marks the failures of tools that have a mark', async () => {
    const file = join(tempDir(), 't.json')
    const [call, result] = ['{ "type": "tool_use", "id": "a", "name": "ls", "input": {} }', '{ "type": "tool_result", "tool_use_id": "a", "content": "WRONG" }']
    const text = `{ "messages": [{ "role": "assistant", "content": [${call}] }, { "role": "user", "content": [${result}] }] }`
    writeFileSync(file, text)
    const [update] = await drifted(file)
    for (const { result: made } of update?.results.flat() ?? []) if (made) made.isError = true
    await updateRecords(update ? [update] : [])
    expect(readFileSync(file, 'utf8')).toBe(text.replace('"WRONG"', '"now \\"it\\"", "is_error": true'))
  })

  it('keeps mode and link, and writes no file into which nothing was put', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'real/t.jsonl': RECORD, 'in/same.jsonl': RECORD.replace('WRONG', 'now \\"it\\"') })
    chmodSync(join(cwd, 'real', 't.jsonl'), 0o640)
    symlinkSync('../real/t.jsonl', join(cwd, 'in', 'link.jsonl'))
    const { ino } = statSync(join(cwd, 'in', 'same.jsonl'))
    expect(await updateRecords(await drifted(join(cwd, 'in')))).toMatchObject({ files: [join(cwd, 'in', 'link.jsonl')] })
    expect(lstatSync(join(cwd, 'in', 'link.jsonl')).isSymbolicLink()).toBe(true)
    expect([readFileSync(join(cwd, 'real', 't.jsonl'), 'utf8'), statSync(join(cwd, 'real', 't.jsonl')).mode & 0o777]).toEqual([NOW, 0o640])
    expect(statSync(join(cwd, 'in', 'same.jsonl')).ino).toBe(ino)
    expect(readdirSync(join(cwd, 'real'))).toEqual(['t.jsonl'])
  })

  it('refuses a file whose records moved meanwhile, and rewrites the others', async () => {
    const cwd = tempDir()
    const other = RECORD.replace('ls', 'pwd')
    writeTree(cwd, { 'a.jsonl': `${RECORD}\n${other}\n`, 'b.md': '<tool_call>{"name":"ls"}</tool_call>', 'b.md.results.json': '{"results": [{"success": false}]}', 'c.jsonl': RECORD, 'gone.jsonl': RECORD })
    const updates = await drifted(...['a.jsonl', 'b.md', 'gone.jsonl', 'c.jsonl'].map((name) => join(cwd, name)))
    writeTree(cwd, { 'a.jsonl': `${other}\n${RECORD}\n`, 'b.md': 'another answer' })
    rmSync(join(cwd, 'gone.jsonl'))
    const { files, results, failed } = await updateRecords(updates)
    expect([files, results]).toEqual([[join(cwd, 'c.jsonl')], 1])
    expect(failed.map(({ file, error: { code } }) => [file, code])).toEqual([
      [join(cwd, 'a.jsonl'), 'CHANGED_ON_DISK'], [join(cwd, 'b.md'), 'CHANGED_ON_DISK'], [join(cwd, 'gone.jsonl'), 'ENOENT'],
    ])
    expect(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).toBe(`${other}\n${RECORD}\n`)
    expect(readFileSync(join(cwd, 'b.md.results.json'), 'utf8')).toBe('{"results": [{"success": false}]}')
  })

  it('keeps what else stands beside an answer, and its layout', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'b.md': '<tool_call>{"name":"ls"}</tool_call>', 'b.md.results.json': '{\n    "by": 1.0,\n    "results": [\n        { "success": false }\n    ]\n}' })
    await updateRecords(await drifted(join(cwd, 'b.md')))
    expect(readFileSync(join(cwd, 'b.md.results.json'), 'utf8')).toBe('{\n    "by": 1.0,\n    "results": [\n        {"success":true,"data":{"now":1}}\n    ]\n}')
  })

  it('rewrites the results of a recording that was cut off', async () => {
    const cwd = tempDir()
    const event = (value: object) => JSON.stringify(value)
    const result = { blockId: 'b', action: 'ls', params: {}, startLine: 1, success: false, error: 'x' }
    const lines = [
      event({ type: 'run', version: 1, root: '/w', rootAliases: [] }), event({ type: 'answer', text: '<tool_call>{"name":"ls"}</tool_call>' }),
      event({ type: 'block-end', result }).replace('"type"', '"at": 1.0, "type"'), '{"type":"en',
    ]
    writeTree(cwd, { 'r.jsonl': lines.join('\r\n'), 't.jsonl': RECORD })
    expect(await updateRecords(await drifted(cwd))).toMatchObject({ results: 2, failed: [] })
    const { error: _, ...now } = { ...result, success: true, data: { now: 1 } }
    const { success, data, ...rest } = now
    expect(readFileSync(join(cwd, 'r.jsonl'), 'utf8')).toBe([
      lines[0], lines[1], event({ type: 'block-end', result: { ...rest, success, data } }).replace('"type"', '"at": 1.0, "type"'), lines[3],
    ].join('\r\n'))
  })
})
