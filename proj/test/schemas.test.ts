import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { useCli } from './support/cli.js'
import { content, reads } from './support/conversations.js'
import { writeTree } from './support/file-tree.js'
import { tempDir } from './support/temp-dir.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const cli = useCli()

/** What is wrong with a document by a schema of docs/schemas. */
function faults(name: string, document: unknown): string[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  const validate = ajv.compile(JSON.parse(read(`docs/schemas/${name}.schema.json`)) as object)
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

describe('docs/schemas', () => {
  it('hold for the example of a configuration, and for the short form of verbs', () => {
    expect(faults('config', load(read('examples/config.yaml')))).toEqual([])
    expect(faults('config', { verbs: ['/home/me/verbs/count.js'] })).toEqual([])
    expect(faults('config', { limits: { file_size: '5MB', blocks: 3 } })).toEqual([])
  })

  it.each([
    [{ verbs: { exec: 'maybe' } }, '/verbs/exec'], [{ limits: { blocks: 0 } }, '/limits/blocks'], [{ alow: [] }, ''],
  ])('find what is wrong with %j', (document, place) => {
    expect(faults('config', document)).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^${place}: `))]))
  })

  it('hold for what replay prints, and for nothing that lacks a field', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': `${reads('a', content('x'))}\n{cut\n`, 'u.jsonl': '{"conversations":[{"from":"gpt","value":"Only words."}]}\n', 'e/': '' })
    const { stdout } = await cli.run(['replay', 't.jsonl', 'u.jsonl', '--expect', 'e', '--json'], { cwd })
    const { success, ...less } = JSON.parse(stdout) as { success: boolean }
    expect([success, less]).toMatchObject([false, { schemaVersion: 1, drifted: 1, bad: 1, empty: 1 }])
    expect(faults('replay', { success, ...less })).toEqual([])
    expect(faults('replay', less)).toEqual([": must have required property 'success'"])
  })

  it('hold for what apply prints and plans, and for nothing that lacks a field', async () => {
    const cwd = tempDir()
    const input = `<tool_call>{"name": "fs.writeFile", "arguments": {"path": "a.txt", "content": "x"}}</tool_call>
<tool_call>{"name": "fs.readFile", "arguments": {"path": "nothing.txt"}}</tool_call>
<tool_call>{"name": "fs.readFile",</tool_call>
`
    const planned = await cli.run(['apply', '-', '--dry-run', '--plan', 'plan.json', '--json'], { cwd, input })
    const ran = await cli.run(['apply', '-', '--json'], { cwd, input })
    const [plan, result] = [readFileSync(join(cwd, 'plan.json'), 'utf8'), ran.stdout].map((text) => JSON.parse(text) as object)
    expect(faults('plan', plan)).toEqual([])
    for (const document of [JSON.parse(planned.stdout), result]) expect(faults('result', document)).toEqual([])
    const { totalBlocks: _, ...less } = result as { totalBlocks: number }
    expect(faults('result', less)).toEqual([": must have required property 'totalBlocks'"])
    expect(faults('plan', { ...plan, more: 1 })).toEqual([': must NOT have additional properties'])
  })
})
