import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { PROMPT_FORMATS } from '../../1-registry/src/prompt/index.js'

const cli = useCli()

describe('hermes prompt', () => {
  it.each(PROMPT_FORMATS)('for %s: hermes apply with the same flags runs its examples', async (format) => {
    const cwd = tempDir()
    const env = { HOME: cwd }
    const place = format === 'tool_call' ? [] : ['--root-alias', '/workspace']
    const { stdout, stderr, exitCode } = await cli.run(['prompt', '--format', format, ...place], { cwd, env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^hermes: about [\d,]+ tokens \(an estimate/) })
    const run = await cli.run(['apply', '-', '--json', '--sandbox', 'none', ...place], { cwd, env, input: stdout })
    const result = JSON.parse(run.stdout) as { success: boolean; executedActions: number; skipped: unknown[] }
    expect(result).toMatchObject({ success: true, skipped: [] })
    expect(result.executedActions).toBeGreaterThanOrEqual(5)
  })

  it('leaves out what the policy switches off, and says where nothing is left', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'hermes.yaml'), 'verbs: { exec: off, write: ask }\n')
    const names = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await cli.run(['prompt', '--json', ...args], { cwd, env: { HOME: cwd } })
      return (JSON.parse(stdout) as { verbs: { name: string }[] }).verbs.map(({ name }) => name)
    }
    const left = await names()
    expect([left.includes('exec'), left.includes('file_write')]).toEqual([false, true])
    const none = await cli.run(['prompt', '--toolset', 'execute'], { cwd, env: { HOME: cwd } })
    expect(none).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('leaves no verb') })
  })

  it('says how large its parts are', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'project'))
    const { stdout } = await cli.run(['prompt', '--sizes', '--root', 'project', '--toolset', 'read-only'], { cwd, env: { HOME: cwd } })
    expect(stdout).toMatch(/^ +tokens +characters\nintroduction /)
    expect(stdout).toMatch(/\nverbs +[\d,]+ +[\d,]+\n {2}file_read +\d+ +\d+\n/)
    expect(stdout).toMatch(/\nall +[\d,]+ +[\d,]+\n\nTokens are an estimate: /)
  })

  it.each([
    [['--format', 'shem'], 'Unknown format: shem\n  Did you mean sham?'],
    [['--root', 'nowhere'], '--root: no such directory: nowhere\n'],
    [['--root-alias', 'workspace'], '--root-alias is not an absolute path: workspace'],
    [['--toolset', 'edits'], 'Unknown toolset: edits'],
    [['--dialect', 'kimi', '--format', 'sham'], '--format and --dialect cannot be given together'],
    [['--json', '--sizes'], '--json and --sizes cannot be given together'],
  ])('refuses %j', async (args, message) => {
    const cwd = tempDir()
    const { exitCode, stderr } = await cli.run(['prompt', ...args], { cwd, env: { HOME: cwd } })
    expect([exitCode, stderr.includes(message) || stderr]).toEqual([2, true])
  })
})
