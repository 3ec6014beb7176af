import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const byNpx = { npm_command: 'exec' }

describe('commands that hermes tells people to type', () => {
  it('are typed as it was started: by npx, or by its name', async () => {
    const cwd = tempDir()
    const hint = '\n  hermes log lists the runs.\n'
    const [plain, npx] = [await cli.run(['undo'], { cwd }), await cli.run(['undo'], { cwd, env: byNpx })]
    expect([plain.stderr.endsWith(hint), npx.stderr.endsWith(hint.replace('hermes', 'npx hermes'))]).toEqual([true, true])
    const { stdout } = await cli.run(['help', 'undo'], { cwd, env: byNpx })
    expect(stdout).toContain('Usage: npx hermes undo [options]')
    expect(stdout).toContain('`npx hermes log`')
    // What hermes does is no command.
    expect(stdout).not.toMatch(/npx npx|npx hermes (?:keeps|does|has)/)
  })

  it('keep their form for models, in documents, and in files', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'root'))
    const input = '<tool_call>{"name":"file_wirte","arguments":{}}</tool_call>'
    const { stdout: reply } = await cli.run(['apply', '--reply'], { cwd, env: byNpx, input })
    expect(reply).toContain('Did you mean')
    const { stdout: json } = await cli.run(['undo', '--json'], { cwd, env: byNpx })
    expect(JSON.parse(json)).toMatchObject({ hint: 'hermes log lists the runs.' })
    const { stdout: prompt } = await cli.run(['prompt'], { cwd, env: byNpx })
    expect(reply + prompt).not.toContain('npx hermes')
  })
})
