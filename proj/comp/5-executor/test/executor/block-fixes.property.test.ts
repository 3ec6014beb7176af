import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ActionResult, ExecutionResult } from '../../../0-contracts/src/index.js'
import { applyFix } from '../../../1-reading/src/index.js'
import { Hermes } from '../../src/executor/index.js'

const RUNS = Number(process.env['RUNS'] ?? 60)

/** A call, the same with a fault, and how it is written. */
type Writing = (action: string, params: Readonly<Record<string, unknown>>) => string

const sham: Writing = (action, params) => [
  '#!SHAM [@three-char-SHA-256: abc]', `action = "${action}"`,
  ...Object.entries(params).map(([name, value]) => (
    String(value).includes('\n') ? `${name} = <<'EOT_SHAM_abc'\n${String(value)}\nEOT_SHAM_abc`
      : `${name} = ${JSON.stringify(String(value))}`
  )),
  '#!END_SHAM_abc',
].join('\n')
const yaml: Writing = (action, params) => [
  '```yaml hermes', '# A comment: "3" stays.', `verb: ${action}`, 'arguments:',
  ...Object.entries(params).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}  # so`), '```',
].join('\n')
const json: Writing = (action, params) => (
  `\`\`\`json hermes\n${JSON.stringify([{ verb: 'ls', arguments: { path: '/workspace' } }, { verb: action, arguments: params }], null, 2)}\n\`\`\``
)
const documents: Writing = (action, params) => (
  `\`\`\`yaml hermes\nverb: ls\narguments: {path: /workspace}\n--- # second\n${JSON.stringify({ verb: action, arguments: params })}\n\`\`\``
)
const call: Writing = (name, params) => `<tool_call>${JSON.stringify({ name, arguments: params })}</tool_call>`
const calls: Writing = (name, params) => (
  `${call('ls', { path: '/workspace' })}${call(name, params)} and so on`
)
const textArguments: Writing = (name, params) => (
  `<tool_call>\n${JSON.stringify({ name, arguments: JSON.stringify(params) })}\n</tool_call>`
)
const indented = (writing: Writing): Writing => (action, params) => (
  `- So:\n\n${writing(action, params).replaceAll(/^(?=.)/gm, '  ')}`
)

const texts: readonly Writing[] = [sham, yaml, json, documents, call, calls, textArguments, indented(yaml)]
const typed = texts.slice(1)
const content = 'one\n"two" \\ \u{1f600}\n'
const FAULTS: readonly [action: string, params: Record<string, unknown>, writings: readonly Writing[]][] = [
  ['file_write', { file_path: '/workspace/a', content }, texts],
  ['file_write', { file_path: '/workspace/a', contents: content }, texts],
  ['file_write', { path: 'a', content }, texts],
  ['file_write', { filename: 'b/a.txt', file_text: content }, texts],
  ['file_wriet', { path: '/workspace/a', content }, texts],
  ['file_wriet', { file_path: 'a', contents: content }, texts],
  ['file_replace_text', { path: '/workspace/f', old_str: 'x', new_string: '3' }, texts],
  ['exec', { lang: 'bash', cmd: content }, texts],
  ['exec', { lang: 'Bash', code: 'true' }, texts],
  ['exec', { lang: 'bash', code: 'true', timeout: '3000' }, typed],
  ['write_file', { path: 'a', content, create_directories: 'true' }, typed],
  ['file_write', { path: '/workspace/a', content: 3 }, typed],
  ['proc.run', { executable: 'ls', arguments: '-l' }, typed],
  ['proc.run', { executable: 'ls', arguments: '["a b"]' }, typed],
]
const cases = FAULTS.flatMap(([action, params, writings]) => writings.map((write) => write(action, params)))

it('of a block with one meaning makes that of it, and changes nothing else of the answer', async () => {
  const root = tempDir()
  await using hermes = new Hermes({ root, rootAliases: ['/workspace'], dryRun: true, sandbox: 'none' })
  const other = '#!SHAM [@three-char-SHA-256: zzz]\naction = "ls"\npath = "/workspace"\n#!END_SHAM_zzz'
  await hermes.execute('')
  const expectMended = async (text: string): Promise<void> => {
    const before = await hermes.execute(text)
    const wrong = before.results.filter(({ code }) => code !== undefined && !['ENOENT', 'TEXT_NOT_FOUND'].includes(code))
    expect(wrong.map(({ code, fix }) => [code, typeof fix]), text).toEqual([[expect.any(String), 'object']])
    const mended = applyFix(text, wrong[0]!.fix!)
    const after = await hermes.execute(mended)
    expect(after.parseErrors).toEqual([])
    expect(after.results.map(({ code }) => code ?? '').filter((code) => !['', 'ENOENT', 'TEXT_NOT_FOUND'].includes(code)), mended)
      .toEqual([])
    expect(others(after, wrong[0]!)).toEqual(others(before, wrong[0]!))
    expect(mended.split('\r\n').length).toBe(text.split('\r\n').length)
  }
  for (const text of cases) await expectMended(text)
  await fc.assert(fc.asyncProperty(
    fc.constantFrom(...cases), fc.boolean(), fc.boolean(), fc.boolean(), async (block, isCrlf, hasProse, hasOther) => {
      const text = `${hasProse ? 'Prose.\n\n' : ''}${hasOther ? `${other}\n` : ''}${block}\n${hasOther ? '\nMore.' : ''}`
      await expectMended(isCrlf ? text.replaceAll('\n', '\r\n') : text)
    },
  ), { numRuns: RUNS })
})

it.each([
  ['a text that is no number', call('exec', { lang: 'bash', code: 'true', timeout: 'soon' })],
  ['a number in another spelling', '```yaml hermes\nverb: file_write\narguments: {path: /workspace/a, content: 0x10}\n```'],
  ['two names for one parameter', call('file_write', { file_path: '/a', filename: '/b', content: '' })],
  ['a name that two may have', call('file_move', { path: '/workspace/a', new_path: '/workspace/b' })],
  ['a name near none', sham('frobnicate', { path: '/workspace/a' })],
  ['a home', call('file_read', { path: '~/a' })],
  ['what is missing altogether', call('file_wriet', { path: '/workspace/a' })],
])('is none for %s', async (_, text) => {
  await using hermes = new Hermes({ root: tempDir(), rootAliases: ['/workspace'], dryRun: true, sandbox: 'none' })
  const { results } = await hermes.execute(text)
  expect(results.map(({ success, fix }) => [success, fix])).toEqual([[false, undefined]])
})

function others({ results }: ExecutionResult, { seq }: ActionResult): unknown {
  return results.filter((each) => each.seq !== seq).map((each) => (
    { ...each, durationMs: 0, data: undefined }
  ))
}
