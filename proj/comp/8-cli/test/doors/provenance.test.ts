import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/index.js'

const swap = fileURLToPath(new URL('../../../../../test-data/extensions/swap.py', import.meta.url))
const pointer = fileURLToPath(new URL('../../../../../test-data/extensions/pointer.mjs', import.meta.url))
const cli = useCli()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The program of an extension whose process notes its start, and what it puts in the place of what. */
type Extension = readonly [program: string, ...pairs: string[]]

/** A directory whose user has these extensions, and a project in it. */
function place(extensions: Readonly<Record<string, Extension>>) {
  const cwd = tempDir()
  const starts = join(cwd, 'starts.txt')
  mkdirSync(join(cwd, '.hermes'))
  mkdirSync(join(cwd, 'project'))
  writeFileSync(starts, '')
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), [
    'extensions:', ...Object.entries(extensions).flatMap(([name, [program, ...pairs]]) => {
      const interpreter = program.endsWith('.py') ? 'python3' : process.execPath
      const args = ['-c', 'echo "$1" >> "$2"; shift 2; exec "$@"', 'sh', name, starts, interpreter, program, ...pairs]
      return [`  ${name}:`, '    command: sh', `    args: ${JSON.stringify(args)}`]
    }), '',
  ].join('\n'))
  const run = (...args: string[]) => cli.run(args, { cwd, env: { HOME: cwd, API_TOKEN: 'hunter2hunter2' } })
  const json = async (...args: string[]): Promise<unknown> => JSON.parse((await run(...args, '--json')).stdout) as unknown
  return { cwd, run, json, starts: () => readFileSync(starts, 'utf8').trim().split('\n') }
}

const FLAGS = ['--root', 'project', '--root-alias', '/w']
const write = (name: string, content: string, root = '/w'): string =>
  `${shamBlock(name, 'file_write', { path: `${root}/${name}.txt`, content })}\n`

describe.skipIf(process.platform === 'win32')('hermes log', () => {
  it('says which extensions changed the answer of a run, in their order, without secrets', async () => {
    const { cwd, run, json } = place({
      pointer: [pointer], key: [swap, 'KEY', 'hunter2hunter2'], shape: [swap, 'TOKEN', `ghp_${'a1B2'.repeat(9)}`],
    })
    const original = write('abc', 'KEY TOKEN', '/old')
    writeFileSync(join(cwd, 'answer.md'), original)
    const extended = ['pointer:point', 'key', 'shape'].flatMap((name) => ['--extension', name])
    const applied = await run('apply', 'answer.md', ...FLAGS, ...extended)
    expect({ exitCode: applied.exitCode, stderr: applied.stderr }).toMatchObject({ exitCode: 0 })

    const [logged] = await json('log', '--root', 'project') as { runId: string; rewrites: unknown[] }[]
    const pointed = original.replace('/old', '/w')
    expect(logged?.rewrites).toMatchObject([
      { extension: 'pointer', version: '1.2', command: 'point', before: sha256(original), after: sha256(pointed) },
      { extension: 'key', version: '1.0', command: 'swap', before: sha256(pointed) },
      { extension: 'shape', version: '1.0', command: 'swap' },
    ])
    expect(JSON.stringify(logged)).not.toMatch(/hunter2|ghp_a1/)
    const listed = (await run('log', '--root', 'project')).stdout
    expect(listed).toContain([
      '  rewritten by pointer 1.2 (point): +1 −1', '  rewritten by key 1.0 (swap): +1 −1', '  rewritten by shape 1.0 (swap): +1 −1', '',
    ].join('\n'))
    expect(listed).not.toContain('SHA-256')

    // One run alone, by its id, the beginning of it, and as the last.
    expect(await json('log', logged?.runId ?? '', '--root', 'project')).toEqual([logged])
    for (const name of [logged?.runId.slice(0, -2) ?? '', 'last']) {
      const { stdout } = await run('log', name, '--root', 'project')
      expect(stdout).toContain('    │ -path = "/old/abc.txt"\n    │ +path = "/w/abc.txt"\n')
      expect(stdout).toContain(`    SHA-256 before ${sha256(original)}\n    SHA-256 after  ${sha256(pointed)}\n`)
      expect(stdout).not.toMatch(/hunter2|ghp_a1/)
    }
    expect(await run('log', '1999', '--root', 'project', '--json')).toMatchObject({
      exitCode: 2, stdout: expect.stringContaining('No such run: 1999'),
    })
    expect((await run('log', 'last', '--limit', '3', '--root', 'project')).exitCode).toBe(2)
    // Undo goes by the same journal, and its own run was rewritten by nobody.
    expect((await run('undo', '--root', 'project')).exitCode).toBe(0)
    const [undo] = await json('log', '--root', 'project') as object[]
    expect(undo).toMatchObject({ kind: 'undo' })
    expect(undo).not.toHaveProperty('rewrites')
    expect(await json('log', '--verify', '--root', 'project')).toMatchObject({ success: true })
  })

  it('reads journals of runs that no extension changed as before', async () => {
    const { cwd, run, json } = place({ pointer: [pointer] })
    writeFileSync(join(cwd, 'answer.md'), write('abc', 'x'))
    await run('apply', 'answer.md', ...FLAGS, '--extension', 'pointer:point')
    const log = execFileSync('sh', ['-c', 'cat project/.hermes/journal/*/log.jsonl'], { cwd, encoding: 'utf8' })
    expect(log).not.toContain('rewrites')
    const [run1] = await json('log', '--root', 'project') as object[]
    expect(run1).not.toHaveProperty('rewrites')
  })
})
