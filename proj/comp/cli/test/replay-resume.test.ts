import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { content, reads } from '../../../test/support/conversations.js'
import { writeTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'

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

  it.each([
    ['another fixture', ['--fixture', 'f'], ['--fixture', 'g'], 'fixture'],
    ['a fixture that changed', ['--fixture', 'f'], undefined, 'fixture'],
    ['a fixture of its own', ['--fixture', 'of/{name}'], ['--fixture', 'og/{name}'], 'fixture'],
    ['another expectation', [], ['--expect', 'g'], 'expect'],
    ['another mapping', ['--mapping', 'm.yaml'], ['--mapping', 'n.yaml'], 'mapping'],
    ['another sandbox', ['--sandbox', 'none'], [], 'sandbox'],
    ['another way to match', [], ['--match', 'tolerant'], 'match'],
    ['other toolsets', [], ['--toolset', 'read-only'], 'toolsets'],
    ['another form of the training data', [], ['--export-as', 'openai'], 'export-as'],
    ['another policy', [], undefined, 'policy'],
  ])('runs again with %s', async (_, first, then, why) => {
    const cwd = tempDir()
    writeTree(cwd, {
      'f/a': 'x', 'g/a': 'y', 'of/t/a': 'x', 'og/t/a': 'y', 't.jsonl': reads('a', content('x')), 'm.yaml': 'tools: {}\n',
      'n.yaml': 'tools:\n  fs.readFile: { skip: not now }\n', 'home/': '',
    })
    const change = () => {
      if (then) return
      if (why === 'fixture') writeFileSync(join(cwd, 'f', 'a'), 'changed')
      else writeTree(cwd, { 'home/.hermes/config.yaml': 'readable: [.env]\n' })
    }
    const env = { HOME: join(cwd, 'home') }
    await cli.run(['replay', 't.jsonl', '--run', 'r', ...first], { cwd, env })
    change()
    const { stderr } = await cli.run(['replay', 't.jsonl', '--run', 'r', '--resume', ...then ?? first, '--json'], { cwd, env })
    expect(stderr.split('\n')[0]).toBe(`Taken over: 0 of 1; run again: 1 (changed: ${why})`)
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
