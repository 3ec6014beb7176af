import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { VerbRegistry } from '../../1-registry/src/registry/index.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import { EXPORT_FORMATS, exportTranscript, matchResults, readTranscriptFile, stepsOf, withCalls, type Transcript, type Turn } from '../src/index.js'

const made = (turns: Turn[], more: Partial<Transcript> = {}): Transcript => ({ file: 'a', line: 1, name: 'a', format: 'hermes', turns, ...more })

async function reread(line: string): Promise<Transcript> {
  const path = join(tempDir(), 'a.jsonl')
  writeFileSync(path, `${line}\n`)
  for await (const item of readTranscriptFile(path)) {
    if ('bad' in item) throw new Error(item.bad.message)
    return item.transcript
  }
  throw new Error('nothing was read')
}

/** What a transcript asks for and what was recorded of it, however it is written. */
function essence({ turns }: Transcript): unknown[] {
  return stepsOf(turns).map(({ turns: said, results }) => {
    const asked = said.flatMap(({ calls }) => calls.map(({ id }) => ({ callId: id, isCall: true })))
    return {
      calls: said.flatMap(({ calls }) => calls.map(({ name, arguments: args }) => ({ name, args: typeof args === 'string' ? JSON.parse(args) as unknown : args }))),
      results: matchResults(asked, results).map((result) => result?.outcome ?? result?.text),
    }
  })
}

const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '"', '<', '/', '>', '\\', '</tool_call>', '</tool_response>', '<think>'), maxLength: 12 })
const outcome = fc.record({ success: fc.boolean(), data: fc.oneof(text, fc.record({ content: text }), fc.array(fc.integer())) })
const step = fc.record({ args: fc.dictionary(fc.constantFrom('path', 'content'), text), outcome })

describe('exportTranscript', () => {
  it.each(EXPORT_FORMATS.filter((format) => format !== 'sharegpt'))('%s: what is written is read the same', async (format) => {
    await fc.assert(fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), async (steps) => {
      const turns = steps.flatMap((calls): Turn[] => [
        { role: 'assistant', reasoning: 'r', text: '', calls: calls.map(({ args }, index) => ({ id: `c${index}`, name: 'write_file', arguments: args })) },
        { role: 'results', results: calls.map((one, index) => ({ callId: `c${index}`, text: JSON.stringify(one.outcome), outcome: one.outcome })).reverse() },
      ])
      expect(essence(await reread(exportTranscript(made(turns), format)))).toEqual(essence(made(turns)))
    }), { numRuns: 40 })
  })

  it('writes no call that the service of the model has run, and the others with their own results', async () => {
    const own = { id: 'c', name: 'ls', arguments: {} }
    const results = { role: 'results' as const, results: [{ text: 'a' }] }
    const said = (calls: Extract<Turn, { role: 'assistant' }>['calls']): Transcript => made([{ role: 'assistant', reasoning: '', text: 'x', calls }, results])
    for (const format of EXPORT_FORMATS) {
      const written = exportTranscript(said([{ id: 's', name: 'web_search_call', arguments: {}, byService: true }, own]), format)
      expect(written).toBe(exportTranscript(said([own]), format))
    }
  })

  it('counts the blocks of a turn as that turn was read', () => {
    const answer = 'a.txt\n```\nb\n```'
    const turns: Turn[] = [
      { role: 'assistant', reasoning: '', text: answer, calls: [], settings: { editFormats: ['whole'] } }, { role: 'results', results: [{ text: 'done' }] },
    ]
    expect(exportTranscript(made(turns), 'openai')).toContain('done')
  })

  const cases = readGoldens(new URL('../test-data/export.cases.md', import.meta.url))
  it.each(cases)('$group: $name', async ({ group, fences }) => {
    const [answer, results, expected] = fences
    const transcript = made([
      { role: 'user', text: 'Go.' },
      { role: 'assistant', reasoning: group === 'sharegpt' ? 'I think.' : '', text: answer?.body ?? '', calls: [] },
      { role: 'results', results: (results?.body ?? '').split('\n').map((line) => ({ text: line })) },
    ], { ...(group === 'sharegpt' && { tools: [{ name: 'ls' }] }) })
    const rules = { registry: new VerbRegistry(VERBS), rules: { relativePaths: false, root: '/w', rootAliases: ['/workspace'] } }
    const written = JSON.parse(exportTranscript(await withCalls(transcript, rules), group === 'openai' ? 'openai' : 'sharegpt')) as unknown
    expect(JSON.stringify(written, null, 2).split('\n')).toEqual(expected?.body.split('\n'))
  })
})
