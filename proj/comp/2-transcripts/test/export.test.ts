import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { VerbRegistry } from '../../1-registry/src/registry/index.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import { EXPORT_FORMATS, exportTranscript, matchResults, readTranscriptFile, recordedOutcome, stepsOf, trajectoryLine, withCalls, type Transcript, type Turn } from '../src/index.js'

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

describe('trajectoryLine', () => {
  const call = (id: string, path: string): string => `<tool_call>${JSON.stringify({ id, name: 'write_file', arguments: { path, content: 'x' } })}</tool_call>`
  const sha256 = (written: string): string => createHash('sha256').update(written).digest('hex')
  const rules = { registry: new VerbRegistry(VERBS), rules: { relativePaths: true, root: '/w', rootAliases: [] } }
  const result = (path: string) => recordedOutcome({ success: true, data: `of ${path}` })

  it.each(EXPORT_FORMATS)('%s: of several turns each that extensions changed is found again', async (format) => {
    const changed = (original: string, ran: string): Turn => ({
      role: 'assistant', reasoning: 'I think', text: ran, calls: [],
      rewritten: { original, by: [{ extension: 'tidy', command: 'run', before: sha256(original), after: sha256(ran), diff: '' }] },
    })
    const turns: Turn[] = [
      { role: 'user', text: 'go' },
      // What is left of it would quote calls behind it: some formats make two turns of it.
      { role: 'assistant', reasoning: '', text: `${call('aa', 'a')}\n\n\`\`\`\nopen`, calls: [] }, { role: 'results', results: [result('a')] },
      changed(`One.\n${call('bb', 'b')}\n\n\`\`\`\nopen`, `${call('cc', 'c')}\n${call('bb', 'b')}\n`),
      changed(call('dd', 'd'), call('dd', 'D')),
      { role: 'results', results: [result('c'), result('b'), result('D')] },
      { role: 'user', text: 'more' },
      changed('', call('ee', 'e')), { role: 'results', results: [result('e')] },
      { role: 'user', text: 'again' },
      changed(call('ff', 'f'), `${call('gg', 'g')}\n${call('ff', 'F')}`), { role: 'results', results: [result('g'), result('F')] },
      { role: 'assistant', reasoning: '', text: 'Done.', calls: [] },
    ]
    const line = await trajectoryLine(made(turns), format, rules)
    const { conversation, rewrites } = splitOf(line)
    expect(rewrites.map(({ text: ran }) => ran)).toEqual(turns.flatMap((turn) => (turn.role === 'assistant' && turn.rewritten ? [turn.text] : [])))
    expect(conversation).not.toContain('"D"')
    const read = await reread(line)
    // Some formats know no turns apart that follow one another, and none one that says nothing: of these it is data alone.
    const told = rewrites.filter(({ turn }) => turn !== undefined)
    expect(told.length).toBeGreaterThanOrEqual(format === 'responses' ? 1 : 2)
    const ran = read.turns.flatMap((turn) => (turn.role === 'assistant' && turn.rewritten ? [turn.text] : []))
    expect(ran).toEqual(told.map(({ text: one }) => one))
    const resultsOf = (id: string): unknown => stepsOf(read.turns).find((each) => each.turns.some(({ text: one }) => one.includes(`"${id}"`)))
      ?.results.map(({ outcome: one }) => one?.data)
    expect(resultsOf('gg')).toEqual(['of g', 'of F'])
    if (told.length === 3) expect(resultsOf('cc')).toEqual(['of c', 'of b', 'of D'])
  })
})

function splitOf(line: string): { conversation: string; rewrites: { turn?: number; text: string }[] } {
  const { hermes, ...rest } = JSON.parse(line) as { hermes: { rewrites: { turn?: number; text: string }[] } }
  return { conversation: JSON.stringify(rest), rewrites: hermes.rewrites }
}
