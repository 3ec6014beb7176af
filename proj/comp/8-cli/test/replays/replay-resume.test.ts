import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { content, reads } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()

/** Starts a run of `t.jsonl` and goes on with it; counts of the second, and its line about what was taken over. */
async function resumed(
  cwd: string, first: readonly string[], { then = first, change = () => undefined }: { then?: readonly string[]; change?: () => void } = {},
) {
  const start = await cli.run(['replay', 't.jsonl', '--run', 'r', ...first], { cwd })
  expect([start.stderr, start.exitCode]).toEqual([expect.stringContaining('Trajectories: '), expect.any(Number)])
  change()
  const { stdout, stderr, exitCode } = await cli.run(['replay', 't.jsonl', '--run', 'r', '--resume', ...then, '--json'], { cwd })
  const { transcripts, drifted } = JSON.parse(stdout) as { transcripts: number; drifted: number }
  return { transcripts, drifted, exitCode, told: stderr.split('\n')[0] }
}

describe('hermes replay --resume', () => {
  it('takes over what was done with the same settings', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/a': 'x', 't.jsonl': `${reads('a', content('x'))}\n${reads('a', content('y'))}\n` })
    expect(await resumed(cwd, ['--fixture', 'f'])).toEqual({ transcripts: 2, drifted: 1, exitCode: 1, told: 'Taken over: 2 of 2' })
  })

  it('runs again what was done with other settings, says which, and goes back to those of before', async () => {
    const cwd = tempDir()
    writeTree(cwd, {
      'f/a': 'x', 'g/a': 'y', 'of/t/a': 'x', 't.jsonl': reads('a', content('x')), 'm.yaml': 'tools: {}\n', 'home/': '',
    })
    const env = { HOME: join(cwd, 'home') }
    const told = async (...args: string[]): Promise<string | undefined> => (
      (await cli.run(['replay', 't.jsonl', '--run', 'r', '--resume', ...args, '--json'], { cwd, env })).stderr.split('\n')[0]
    )
    await told('--fixture', 'f')
    for (const [args, why] of [
      [['--fixture', 'g'], 'fixture'],
      [['--fixture', 'of/{name}', '--expect', 'f'], 'expect'],
      [['--fixture', 'f', '--mapping', 'm.yaml'], 'mapping'],
      [['--fixture', 'f', '--sandbox', 'none'], 'sandbox'],
      [['--fixture', 'f', '--match', 'tolerant'], 'match'],
      [['--fixture', 'f', '--toolset', 'read-only'], 'toolsets'],
      [['--fixture', 'f', '--export-as', 'openai'], 'export-as'],
      [['--fixture', 'f', '--no-git', '--match', 'tolerant'], 'git-commit'],
    ] as const) expect(await told(...args)).toBe(`Taken over: 0 of 1; run again: 1 (changed: ${why})`)
    expect(await told('--fixture', 'f')).toBe('Taken over: 1 of 1')
    writeTree(cwd, { 'home/.hermes/config.yaml': 'readable: [.env]\n' })
    expect(await told('--fixture', 'f')).toBe('Taken over: 0 of 1; run again: 1 (changed: policy)')
    writeFileSync(join(cwd, 'f', 'a'), 'changed')
    expect(await told('--fixture', 'f')).toBe('Taken over: 0 of 1; run again: 1 (changed: fixture)')
  })

  it('counts no transcript that is not given any more, and reports each once', async () => {
    const cwd = tempDir()
    const [kept, gone] = [reads('a', content('x')), reads('a', content('old'))]
    writeTree(cwd, { 'f/a': 'x', 't.jsonl': `${kept}\n${gone}\n` })
    const edited = reads('a', content('new'))
    const change = () => writeFileSync(join(cwd, 't.jsonl'), `${kept}\n${edited}\n${edited}\n`)
    expect(await resumed(cwd, ['--fixture', 'f'], { change })).toEqual({ transcripts: 3, drifted: 2, exitCode: 1, told: 'Taken over: 1 of 3' })
    const lines = readFileSync(join(cwd, 'data', 'r', 'trajectories.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).not.toContain('old')
  })

  it('--update rewrites also what an interrupted run had found to have drifted', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/a': 'x', 't.jsonl': `${reads('a', content('y'))}\n` })
    await cli.run(['replay', 't.jsonl', '--run', 'r', '--fixture', 'f'], { cwd })
    const { stderr } = await cli.run(['replay', 't.jsonl', '--run', 'r', '--resume', '--fixture', 'f', '--update'], { cwd })
    expect(stderr).toContain('run again: 1 (drifted, and --update rewrites it)')
    expect(stderr).toContain('Rewrote 1 result in 1 file')
  })

  it('--update also adds the results that an interrupted run had found to be missing', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.md': '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>\n' })
    await cli.run(['replay', 't.md', '--run', 'r'], { cwd })
    const { stderr } = await cli.run(['replay', 't.md', '--run', 'r', '--resume', '--update'], { cwd })
    expect(stderr).toContain('run again: 1 (unrecorded, and --update adds it)')
    expect(stderr).toContain('Rewrote 1 result in 1 file')
    expect(existsSync(join(cwd, 't.md.results.json'))).toBe(true)
  })

  it('removes no kept result behind a line that cannot be read', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/a': 'x', 't.jsonl': `${reads('a', content('x'))}\n${reads('a', content('y'))}\n` })
    const part = join(cwd, 'data', 'r', 'parts', 'worker-1.jsonl')
    let kept = ''
    const change = () => {
      kept = `broken\n${readFileSync(part, 'utf8')}`
      writeFileSync(part, `${kept}{"id":"cut o`)
    }
    expect(await resumed(cwd, ['--fixture', 'f'], { change })).toEqual({
      transcripts: 2, drifted: 1, exitCode: 1, told: 'Taken over: 2 of 2; passed over: 1 in data/r/parts/worker-1.jsonl that cannot be read',
    })
    expect(readFileSync(part, 'utf8')).toBe(kept)
  })

  it('runs again what failed, once, and what started from other permissions', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/a': 'x', 't.jsonl': `${reads('a', content('x'))}\n` })
    const part = join(cwd, 'data', 'r', 'parts', 'worker-1.jsonl')
    const change = () => {
      const entry = JSON.parse(readFileSync(part, 'utf8')) as { report: object }
      writeFileSync(part, `${JSON.stringify({ ...entry, report: { ...entry.report, error: { code: 'ENOSPC', message: 'full' }, drifted: true } })}\n`)
    }
    expect(await resumed(cwd, ['--fixture', 'f'], { change })).toMatchObject({ drifted: 0, told: 'Taken over: 0 of 1; run again: 1 (failed: ENOSPC)' })
    const again = async () => (await cli.run(['replay', 't.jsonl', '--run', 'r', '--resume', '--fixture', 'f', '--json'], { cwd })).stderr.split('\n')[0]
    expect(await again()).toBe('Taken over: 1 of 1')
    expect(readFileSync(join(cwd, 'data', 'r', 'trajectories.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1)
    chmodSync(join(cwd, 'f', 'a'), 0o600)
    expect(await again()).toBe('Taken over: 0 of 1; run again: 1 (changed: fixture)')
  })

  it('refuses a place for runs that is a file', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': reads('a', content('x')), 'file': '', 'data/r': 'x' })
    const { stderr, exitCode } = await cli.run(['replay', 't.jsonl', '--run', 'r', '--output', 'file'], { cwd })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('hermes: Cannot keep the run in file/r (ENOTDIR)\n')])
    expect((await cli.run(['replay', 't.jsonl', '--run', 'r'], { cwd })).exitCode).toBe(2)
    mkdirSync(join(cwd, 'old', 'r', 'parts'), { recursive: true })
    expect((await cli.run(['replay', 't.jsonl', '--run', 'r', '--output', 'old'], { cwd })).stderr).toContain('is there already')
    expect(existsSync(join(cwd, 'old', 'r', 'trajectories.jsonl'))).toBe(false)
  })
})
