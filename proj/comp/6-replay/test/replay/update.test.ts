import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readTranscriptFile, type ResultPlace, type Transcript } from '../../../2-transcripts/src/index.js'
import { updateRecords, withOwnPlaces, withoutPlaces } from '../../src/replay/index.js'
import type { MadeResult } from '../../src/replay/replay-transcript.js'

const call = (id: string) => ({ id, type: 'function', function: { name: 'x', arguments: '{}' } })
const RECORD = { messages: [
  { role: 'assistant', content: '<tool_call>{"name":"ls"}</tool_call>', tool_calls: [call('c1'), call('c2')] },
  { role: 'tool', tool_call_id: 'c2', content: 'of c2' }, { role: 'tool', tool_call_id: 'c1', content: 'of c1' },
  { role: 'tool', content: 'of the block' },
] }

async function recorded(): Promise<Transcript> {
  const file = join(tempDir(), 't.jsonl')
  writeFileSync(file, `${JSON.stringify(RECORD)}\n`)
  for await (const item of readTranscriptFile(file)) if ('transcript' in item) return item.transcript
  throw new Error('nothing to read')
}

const made = (text: string, more: object = {}): MadeResult => ({ turn: 1, outcome: 'changed', result: { text, ...more } })

describe('a result from elsewhere', () => {
  it('gets its place from the own transcript, whatever it says itself', async () => {
    const transcript = await recorded()
    const evil = { place: { path: ['messages', 0, 'content'] }, callId: 'c2' }
    const report = { drifted: true } as never
    const sent = withoutPlaces({ report, results: [[made('block', evil), made('one', evil), made('two', evil)]] })
    expect(sent.results).toEqual([[made('block'), made('one'), made('two')]])
    const placed = withOwnPlaces(transcript, [[made('block', evil), made('one', evil), made('two', evil)]])
    expect(placed?.[0]?.map(({ result }) => [result?.text, result?.callId, result?.place?.path])).toEqual([
      ['block', undefined, ['messages', 3, 'content']], ['one', 'c1', ['messages', 2, 'content']], ['two', 'c2', ['messages', 1, 'content']],
    ])
    await updateRecords([{ transcript, results: placed ?? [] }])
    const { messages } = JSON.parse(readFileSync(transcript.file, 'utf8')) as typeof RECORD
    expect(messages.map(({ content }) => content)).toEqual([RECORD.messages[0]?.content, 'two', 'one', 'block'])
  })

  it.each<[what: string, results: MadeResult[][]]>([
    ['too few', [[made('one')]]], ['of another turn', [[{ ...made('a'), turn: 2 }, made('b'), made('c')]]], ['of more steps', [[made('a'), made('b')], []]],
  ])('is none where they are %s', async (_, results) => {
    expect(withOwnPlaces(await recorded(), results)).toBeUndefined()
  })
})

it.each<ResultPlace['path'][]>([[['__proto__', 'polluted']], [['messages', '__proto__', 'polluted']], [['messages', 0, 'constructor', 'polluted']], [['toString']]])(
  'no result is written to %j', async (path) => {
    const transcript = await recorded()
    const before = readFileSync(transcript.file, 'utf8')
    expect(await updateRecords([{ transcript, results: [[made('x', { place: { path } })]] }])).toMatchObject({ results: 0, without: 1 })
    expect([readFileSync(transcript.file, 'utf8'), 'polluted' in {}, 'polluted' in []]).toEqual([before, false, false])
  },
)
