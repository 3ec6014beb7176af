import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { contentHash, readTranscriptFile, readTranscripts, type ReadItem, type ReadOptions } from '../src/index.js'

const GOOD = '{"messages":[{"role":"user","content":"é"}]}\n'

async function read(items: AsyncIterable<ReadItem>): Promise<string[]> {
  const lines: string[] = []
  for await (const item of items) {
    lines.push('bad' in item ? `${item.bad.line ?? '-'} ${item.bad.code}` : `${item.transcript.line ?? '-'} ${item.transcript.format}`)
  }
  return lines
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  return path
}

const readOne = (name: string, content: string | Uint8Array, options?: ReadOptions) => read(readTranscriptFile(file(name, content), options))

describe('bad input costs only itself', () => {
  it.each(['', ' \n\n'])('a file of records without any: %j', async (content) => {
    for (const name of ['a.jsonl', 'a.json', 'a.traj']) expect(await readOne(name, content), name).toEqual(['- INVALID_TRANSCRIPT'])
    expect(await readOne('a.json', '[]')).toEqual([])
  })

  it.each([
    ['a type that is misspelt', '{"type":"blockend"}', 'Event 3 of the recording has the unknown type "blockend"', 'Did you mean block-end?'],
    ['no type', '{}', 'Event 3 of the recording has the unknown type ""', expect.any(String)],
    ['a result that is none', '{"type":"block-end","result":{"success":"yes"}}', 'Event 3 of the recording, a block-end, has no known form', expect.any(String)],
  ])('a recording with an event of %s', async (_, event, message, hint) => {
    const events = ['{"type":"run","version":1,"id":"r","root":"/w"}', '{"type":"answer","run":"r","text":"hi"}', event]
    const items = []
    for await (const item of readTranscriptFile(file('r.jsonl', events.map((each) => `${each}\n`).join('')))) items.push(item)
    expect(items).toMatchObject([{ bad: { code: 'INVALID_TRANSCRIPT', message, hint } }])
  })

  it('a line of 200 MB', async () => {
    const path = file('a.jsonl', GOOD)
    const descriptor = openSync(path, 'r+')
    ftruncateSync(descriptor, GOOD.length + 1 + 200e6)
    writeSync(descriptor, `\n${GOOD}`, GOOD.length + 1 + 200e6)
    closeSync(descriptor)
    expect(await read(readTranscriptFile(path))).toEqual(['1 openai', '2 FILE_TOO_LARGE', '3 openai'])
  })

  it('an element of an array that is too long', async () => {
    const long = `{"messages":[{"role":"user","content":"${'x'.repeat(5000)}"}]}`
    expect(await readOne('a.json', `[${GOOD},${long},${GOOD}]`, { maxRecordBytes: 4000 })).toEqual(['1 openai', '2 FILE_TOO_LARGE', '2 openai'])
  })

  it('a conversation of many lines that is too long', async () => {
    const lines = '{"from":"gpt","value":"0123456789"}\n'.repeat(200)
    expect(await readOne('a.jsonl', lines, { maxRecordBytes: 4000 })).toEqual([expect.stringMatching(/^\d+ FILE_TOO_LARGE$/)])
  })

  it('a record that is nested thousands of levels deep, also where it is JSON in a text', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const call = (args: string) => `{"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"x","arguments":${args}}}]}]}\n`
    expect(await readOne('a.jsonl', [GOOD, call(deep(6000)), call(deep(100)), GOOD].join(''))).toEqual(['1 openai', '2 INVALID_TRANSCRIPT', '3 openai', '4 openai'])
    const items = readTranscriptFile(file('a.jsonl', call(JSON.stringify(deep(20_000)))))
    for await (const item of items) {
      if ('bad' in item) throw new Error(item.bad.message)
      expect(contentHash(item.transcript)).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('bytes that are no UTF-8', async () => {
    const latin1 = Buffer.from(GOOD, 'latin1')
    expect(await readOne('a.jsonl', Buffer.concat([Buffer.from(GOOD), latin1, Buffer.from(GOOD)]))).toEqual(['1 openai', '2 NOT_TEXT', '3 openai'])
    expect(await readOne('a.md', latin1)).toEqual(['- NOT_TEXT'])
  })

  it('UTF-16, with a mark and without', async () => {
    expect(await readOne('a.jsonl', Buffer.from(`\ufeff${GOOD}`, 'utf16le'))).toEqual(['- NOT_TEXT'])
    expect(await readOne('a.jsonl', Buffer.from(GOOD.trimEnd(), 'utf16le'))).toEqual(['1 NOT_TEXT'])
  })

  it('a byte order mark, CRLF, empty lines and an empty list are no mistakes', async () => {
    expect(await readOne('a.jsonl', `\ufeff${GOOD.trimEnd()}\r\n\r\n${GOOD}`)).toEqual(['1 openai', '3 openai'])
    expect(await readOne('a.json', '\ufeff [ ] \n')).toEqual([])
  })

  it('records that are cut off, and of several forms in one file', async () => {
    const others = ['{"conversations":[{"from":"gpt","value":"x"}]}', '{"input":[{"type":"message","role":"user","content":"x"}]}', '{"history":[]}', '{"a":1}', '[1]', '7']
    expect(await readOne('a.jsonl', [GOOD.trimEnd(), ...others, GOOD.slice(0, 30)].join('\n'))).toEqual([
      '1 openai', '2 sharegpt', '3 responses', '4 swe-agent', '5 INVALID_TRANSCRIPT', '6 INVALID_TRANSCRIPT', '7 INVALID_TRANSCRIPT', '8 INVALID_TRANSCRIPT',
    ])
    expect(await readOne('a.json', `[${GOOD},${others[0]},${GOOD.slice(0, 30)}`)).toEqual(['1 openai', '2 sharegpt', '2 INVALID_TRANSCRIPT'])
  })

  it('deep nesting', async () => {
    const deep = `{"messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`
    const [first, second] = await readOne('a.jsonl', deep + GOOD)
    expect(first).toMatch(/^1 (?:INVALID_TRANSCRIPT|openai)$/)
    expect(second).toBe('2 openai')
  })

  it('what is not there', async () => {
    const directory = tempDir()
    const good = join(directory, 'b.jsonl')
    writeFileSync(good, GOOD)
    expect(await read(readTranscripts([join(directory, 'a'), good]))).toEqual(['- ENOENT', '1 openai'])
    mkdirSync(join(directory, 'empty'))
    writeFileSync(join(directory, 'empty', 'README.md'), 'Where recordings go.')
    expect(await read(readTranscripts([join(directory, 'empty')]))).toEqual(['- INVALID_TRANSCRIPT'])
    expect(await read(readTranscripts([good, directory], { seen: new Set() }))).toEqual(['1 openai'])
  })
})
