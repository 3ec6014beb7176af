import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createMasker } from '../../../0-text/src/index.js'
import {
  chosenTexts, Recorder, readTranscriptFile, type PreparedText, type RecordedResult, type Transcript, type TextChoice,
} from '../../src/index.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Texts that extensions `first`, `second`, … made of the one before. */
function prepared(original: string, ...texts: string[]): PreparedText {
  return {
    original, texts, rewrites: texts.map((text, index) => ({
      extension: ['first', 'second', 'third'][index] ?? 'last', command: 'run', before: sha256(texts[index - 1] ?? original),
      after: sha256(text), diff: '',
    })),
  }
}

async function read(file: string): Promise<Transcript> {
  for await (const item of readTranscriptFile(file)) if ('transcript' in item) return item.transcript
  throw new Error(`${file} has no transcript`)
}

/** Records answers that extensions changed, one after another. @param secrets values of variables */
async function recorded(answers: readonly PreparedText[], secrets: Record<string, string> = {}): Promise<{ file: string; transcript: Transcript }> {
  const file = join(tempDir(), 'run.jsonl')
  for (const answer of answers) {
    const recorder = new Recorder(file, createMasker(secrets, { shapes: true }))
    recorder.begin({ root: '/w', rootAliases: [], settings: {}, text: answer.texts.at(-1) ?? answer.original, prepared: answer })
    recorder.close()
  }
  return { file, transcript: await read(file) }
}

const texts = ({ turns }: Transcript): string[] => turns.flatMap((turn) => (turn.role === 'assistant' ? [turn.text] : []))
const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const named = (id: string, name: string, args: object): string => `<tool_call>${JSON.stringify({ id, name, arguments: args })}</tool_call>`

describe('a record of answers that extensions changed', () => {
  it.each<[string, TextChoice, string]>([
    ['as it ran', {}, 'A\nb\nC\nd\nE\n'],
    ['as the model wrote it', { original: true }, 'a\nb\nc\nd\ne\n'],
    ['without the first', { without: ['first'] }, 'a\nb\nC\nd\nE\n'],
    ['without one in between', { without: ['second'] }, 'A\nb\nc\nd\nE\n'],
    ['without the last', { without: ['third:run'] }, 'A\nb\nC\nd\ne\n'],
    ['without all but one', { without: ['first', 'third'] }, 'a\nb\nC\nd\ne\n'],
    ['without all', { without: ['third', 'first', 'second'] }, 'a\nb\nc\nd\ne\n'],
    ['without one that did nothing', { without: ['other', 'third:other'] }, 'A\nb\nC\nd\nE\n'],
  ])('gives the text %s', async (_, choice, expected) => {
    const { transcript } = await recorded([prepared('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'A\nb\nC\nd\ne\n', 'A\nb\nC\nd\nE\n')])
    const chosen = await chosenTexts(transcript, choice)
    expect(texts(chosen)).toEqual([expected])
    const [turn] = chosen.turns
    const kept = turn?.role === 'assistant' ? turn.rewritten : undefined
    // What is left of it is a record of the same kind, to be chosen from again.
    expect(kept?.by.at(-1)?.after ?? sha256(expected)).toBe(sha256(expected))
    expect(texts(await chosenTexts(chosen, { original: true }))).toEqual(['a\nb\nc\nd\ne\n'])
  })

  it('gives the text without any of them, where each changed lines of its own', async () => {
    // What each line becomes, and by whom; between two that change there is one that none touches.
    const line = fc.record({ by: fc.nat(3), kind: fc.constantFrom('keep', 'change', 'add', 'drop') })
    await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), fc.subarray([0, 1, 2, 3]), async (lines, undone) => {
      const made = (by: readonly number[]): string => lines.flatMap(({ by: whose, kind }, index) => {
        const own = `line ${index}\n`
        const now = kind === 'keep' || !by.includes(whose) ? [own] : { change: [`${own.trim()} changed\n`], add: [own, `new ${index}\n`], drop: [] }[kind]
        return [...now, `between ${index}\n`]
      }).join('')
      const all = [0, 1, 2, 3].filter((who) => lines.some(({ by, kind }) => by === who && kind !== 'keep'))
      const { original, rewrites, texts: left } = prepared(made([]), ...all.map((_, index) => made(all.slice(0, index + 1))))
      const answer = { original, texts: left, rewrites: rewrites.map((one, index) => ({ ...one, extension: `number ${all[index]}` })) }
      const { transcript } = await recorded([answer])
      const chosen = await chosenTexts(transcript, { without: undone.map((who) => `number ${who}`) })
      expect(texts(chosen)).toEqual([made(all.filter((who) => !undone.includes(who)))])
    }), { numRuns: 60 })
  })

  it('undoes all that one extension did, and what came back by itself is no conflict', async () => {
    const again = prepared('a\nb\nc\n', 'A\nb\nc\n', 'A\nB\nc\n', 'AA\nB\nc\n')
    const rewrites = again.rewrites.map((one, index) => (index === 2 ? { ...one, extension: 'first' } : one))
    const { transcript } = await recorded([{ ...again, rewrites }])
    expect(texts(await chosenTexts(transcript, { without: ['first'] }))).toEqual(['a\nB\nc\n'])
    const { transcript: undone } = await recorded([prepared('a\n', 'b\n', 'a\n')])
    expect(texts(await chosenTexts(undone, { without: ['first'] }))).toEqual(['a\n'])
  })

  it('masks secrets in every text, says so, and can be chosen from all the same', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const { file, transcript } = await recorded(
      [prepared('key hunter2hunter2\n\na\n', `key hunter2hunter2\n\na ${token}\n`, `key HUNTER\n\na ${token}\n`)], { API_TOKEN: 'hunter2hunter2' },
    )
    expect(readFileSync(file, 'utf8')).not.toMatch(/hunter2|ghp_a1/)
    expect(readFileSync(file, 'utf8')).toContain('"inexact":true')
    expect(texts(await chosenTexts(transcript, { without: ['first'] }))).toEqual(['key HUNTER\n\na\n'])
    expect(texts(await chosenTexts(transcript, { original: true }))).toEqual(['key [masked API_TOKEN]\n\na\n'])
    // The hashes still have to be those of one text after another.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"before":"\w{8}(?=[^\n]*\n$)/, '"before":"00000000'))
    await expect(chosenTexts(await read(file), { original: true })).rejects.toThrow('are not those that first, second had')
  })

  it.each(['"original":"a', '"text":"A\\nb', '"text":"A\\nB'])('of which %s was changed is not taken for what was there', async (place) => {
    const { file } = await recorded([prepared('a\nb\n', 'A\nb\n', 'A\nB\n')])
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(place, `${place}!`))
    expect(readFileSync(file, 'utf8')).not.toBe(text)
    const transcript = await read(file)
    expect(texts(await chosenTexts(transcript, {}))).toHaveLength(1)
    for (const choice of [{ original: true }, { without: ['second'] }]) {
      await expect(chosenTexts(transcript, choice)).rejects.toMatchObject({ code: 'INVALID_TRANSCRIPT', message: expect.stringContaining('first, second') })
    }
  })

  it('whose end was cut off says that it does not know who changed the answer', async () => {
    const { file } = await recorded([prepared('a\n', 'b\n')])
    const lines = readFileSync(file, 'utf8').split('\n').filter((line) => !line.startsWith('{"type":"rewrite"'))
    writeFileSync(file, lines.join('\n'))
    await expect(chosenTexts(await read(file), { original: true })).rejects.toThrow('does not say which extensions changed the answer')
  })

  it('has the answer in it where a saved response was changed', async () => {
    const response = (text: string): string => JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }], object: 'chat.completion' })
    const file = join(tempDir(), 'run.jsonl')
    const recorder = new Recorder(file, createMasker({}))
    recorder.begin({ root: '/w', rootAliases: [], settings: {}, text: 'B\n', prepared: prepared(response('a\n'), response('b\n'), response('B\n')) })
    recorder.close()
    const transcript = await read(file)
    expect(texts(await chosenTexts(transcript, { original: true }))).toEqual(['a\n'])
    expect(texts(await chosenTexts(transcript, { without: ['second'] }))).toEqual(['b\n'])
  })
})

describe('results of another text', () => {
  const result = (name: string): RecordedResult => ({ text: name, isError: false })
  const UNKNOWN = { text: '', isUnknown: true }

  it.each([
    ['one more', call('a', { x: 1 }), [call('a', { x: 1 }), call('b', { y: 1 })], ['1']],
    ['one less', [call('a', { x: 1 }), call('b', { x: 1 }), call('c', { x: 1 })].join('\n'), [call('a', { x: 1 }), call('c', { x: 1 })], ['1', UNKNOWN, '2']],
    ['other parameters', [call('a', { path: '/old', content: 'x' }), call('a', { path: '/old/2', content: 'y' })].join('\n'), [call('a', { path: '/w', content: 'x' }), call('a', { path: '/w/2', content: 'y' })], ['1', '2']],
    ['the one that is more like it', [call('edit', { path: '/p', old: 'a', now: 'b' }), call('edit', { path: '/p', old: 'c', now: 'd' })].join('\n'), [call('edit', { path: '/p', old: 'c', now: 'D' })], [UNKNOWN, '1']],
    ['another name', call('old', { path: '/p' }), [call('new', { path: '/p' })], ['1']],
    ['the same ids', [named('p', 'a', { x: 1 }), named('q', 'a', { x: 2 })].join('\n'), [named('new', 'a', { x: 3 }), named('q', 'a', { x: 5 })], [UNKNOWN, '2']],
    ['another order', [call('a', { x: 1 }), call('a', { x: 2 })].join('\n'), [call('a', { x: 2 }), call('a', { x: 1 })], ['2', UNKNOWN]],
    ['a block that could not be read', [call('a', { x: 1 }), '<tool_call>{</tool_call>'].join('\n'), [call('b', { y: 2 }), call('a', { x: 1 })], ['2', UNKNOWN]],
  ])('%s: each stays with what it belongs to', async (_, original, ran, expected) => {
    const { transcript } = await recorded([prepared(original, ran.join('\n'))])
    const turns = [...transcript.turns.filter(({ role }) => role === 'assistant'), { role: 'results' as const, results: ran.map((_one, index) => result(String(index + 1))) }]
    const { turns: chosen } = await chosenTexts({ ...transcript, turns }, { original: true })
    expect(chosen[1]).toEqual({ role: 'results', results: expected.map((one) => (typeof one === 'string' ? result(one) : one)) })
  })

  it('leaves other turns, and their results, as they are', async () => {
    const { file } = await recorded([prepared(call('a', { x: 1 }), [call('b', { y: 1 }), call('a', { x: 1 })].join('\n'))])
    appendFileSync(file, [
      { type: 'run', version: 1, id: 'next', startedAt: '', root: '/w', rootAliases: [] },
      { type: 'answer', run: 'next', text: call('c', {}) }, { type: 'end', run: 'next', success: true },
    ].map((event) => `${JSON.stringify(event)}\n`).join(''))
    const { turns } = await read(file)
    const [first, , second] = turns
    if (!first || !second) throw new Error('two turns')
    const all = [first, { role: 'results' as const, results: [result('of b'), result('of a')] }, { role: 'user' as const, text: 'more' }, second, { role: 'results' as const, results: [result('of c'), result('of nothing')] }]
    const chosen = await chosenTexts({ ...(await read(file)), turns: all }, { original: true })
    expect(chosen.turns.slice(1)).toEqual([{ role: 'results', results: [result('of a')] }, ...all.slice(2)])
  })
})
