import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/index.js'

const cli = useCli()

/** A verb whose second version takes another parameter, and writes something else. */
const verb = (version: string, parameter: string): string => `
import { defineVerb } from 'hermes'
import * as v from 'valibot'

export default defineVerb({
  name: 'note_it', version: '${version}', vocabulary: 'clada', description: 'Note a line.', category: 'text', type: 'write',
  args: v.strictObject({ ${parameter}: v.string() }), result: v.strictObject({ by: v.string() }), examples: [{ ${parameter}: 'x' }],
  handler({ ${parameter} }, { gate, files }) {
    files.write(gate.approve('note.txt', 'write'), '${version}: ' + ${parameter})
    return { by: '${version}' }
  },
})
`

/** A home that names these modules. */
function place() {
  const cwd = tempDir()
  for (const directory of ['.hermes/verbs', 'project']) mkdirSync(join(cwd, directory), { recursive: true })
  writeFileSync(join(cwd, '.hermes', 'verbs', 'one.js'), verb('1.2.0', 'text'))
  writeFileSync(join(cwd, '.hermes', 'verbs', 'two.js'), verb('2.0.0', 'line'))
  return {
    cwd, run: (args: readonly string[], input = '') => cli.run(args, { cwd, env: { HOME: cwd }, input }),
    name: (...names: string[]) => writeFileSync(join(cwd, '.hermes', 'config.yaml'), `verbs: [${names.map((name) => `~/.hermes/verbs/${name}.js`).join(', ')}]\n`),
    note: () => readFileSync(join(cwd, 'project', 'note.txt'), 'utf8'),
  }
}

const FLAGS = ['--root', 'project', '--no-git']

describe('a verb in several versions', () => {
  it('is the newest one for a call, whatever the order of the modules', async () => {
    for (const names of [['one', 'two'], ['two', 'one']]) {
      const { name, run, note } = place()
      name(...names)
      const old = await run(['apply', ...FLAGS, '--json'], shamBlock('abc', 'note_it', { text: 'old' }))
      expect(JSON.parse(old.stdout)).toMatchObject({ results: [{ success: false, code: 'MISSING_PARAMETER', verbVersion: '2.0.0' }] })
      expect((await run(['apply', ...FLAGS], shamBlock('abc', 'note_it', { line: 'new' }))).exitCode).toBe(0)
      expect(note()).toBe('2.0.0: new')
      expect((await run(['tools', 'list'])).stdout.match(/note_it/g)).toHaveLength(1)
      expect(JSON.parse((await run(['tools', 'show', 'note_it', '--json'])).stdout)).toMatchObject({ version: '2.0.0' })
    }
  })

  it('is replayed as it was recorded, where that version is there, and drifts where it is not', async () => {
    const { cwd, name, run } = place()
    name('one')
    const block = shamBlock('abc', 'note_it', { text: 'old' })
    expect((await run(['apply', ...FLAGS, '--record', 'old.jsonl', '--trajectory', 'old.trajectory.jsonl'], block)).exitCode).toBe(0)
    const replay = async (file: string): Promise<[number | null, boolean]> => {
      const { exitCode, stdout, stderr } = await run(['replay', file])
      return [exitCode, /MISSING_PARAMETER|Missing required parameter/.test(stdout + stderr)]
    }
    for (const names of [['one'], ['one', 'two'], ['two', 'one']]) {
      name(...names)
      expect([await replay('old.jsonl'), await replay('old.trajectory.jsonl')]).toEqual([[0, false], [0, false]])
    }
    name('two')
    expect(await replay('old.jsonl')).toEqual([1, true])
    // Recorded with the new one, both in one recording: each turn by its own.
    name('one', 'two')
    expect((await run(['apply', ...FLAGS, '--record', 'old.jsonl'], shamBlock('abc', 'note_it', { line: 'new' }))).exitCode).toBe(0)
    expect(await replay('old.jsonl')).toEqual([0, false])
    expect(readFileSync(join(cwd, 'old.jsonl'), 'utf8').match(/"verbVersion":"[12]\.\d\.0"/g)).toEqual(['"verbVersion":"1.2.0"', '"verbVersion":"2.0.0"'])
  })

  it('twice in one major version is left out, with a warning', async () => {
    const { cwd, name, run } = place()
    writeFileSync(join(cwd, '.hermes', 'verbs', 'again.js'), verb('1.9.0', 'other'))
    name('one', 'again')
    const { stdout, stderr } = await run(['apply', ...FLAGS], shamBlock('abc', 'note_it', { text: 'x' }))
    expect(stdout + stderr).toContain('its verb note_it is left out, since there is another of that name')
  })
})
