import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { consentOptions } from '../src/io/consent-options.js'

const driver = fileURLToPath(new URL('drive-terminal.py', import.meta.url))
const cli = useCli()

type Step = readonly [waitFor: string, type: string]

/** A directory with an answer that runs `command`, and with `full/a`. */
function workplace(command: string): { cwd: string; home: string } {
  const [cwd, home] = [tempDir(), tempDir()]
  mkdirSync(join(cwd, 'full'))
  writeFileSync(join(cwd, 'full', 'a'), 'a')
  const call = { name: 'execute_command', arguments: { command } }
  writeFileSync(join(cwd, 'answer.md'), `<tool_call>${JSON.stringify(call)}</tool_call>\n`)
  return { cwd, home }
}

async function atTerminal({ cwd, home }: { cwd: string; home: string }, steps: readonly Step[]) {
  const env = { ...plainEnvironment(), NO_COLOR: '1', TERM: 'xterm', HOME: home }
  return new Promise<{ exit: number; output: string; left: Step[] }>((resolve, reject) => {
    execFile('python3', [driver, JSON.stringify(steps), process.execPath, cli.path, 'apply', 'answer.md', '--sandbox', 'none'], { cwd, env }, (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout) as { exit: number; output: string; left: Step[] })
    })
  })
}

describe.skipIf(process.platform !== 'linux')('a dangerous command', () => {
  it('is told of by a dry run, which asks nobody', async () => {
    const { cwd, home } = workplace('rm -rf full')
    const { stdout, exitCode } = await cli.run(['apply', 'answer.md', '--dry-run', '--sandbox', 'none'], { cwd, env: { HOME: home } })
    expect(stdout).toContain('    note: Dry run: not started. It will ask first: Potentially dangerous command detected: recursive delete ')
    expect([exitCode, existsSync(join(cwd, 'full', 'a'))]).toEqual([0, true])
  })

  it('is shown with its name and in full at a terminal; Enter denies', async () => {
    const place = workplace('ls &&\nrm -rf full')
    const { output, left, exit } = await atTerminal(place, [['deny) ', '\n']])
    expect(left).toEqual([])
    expect(exit).toBe(1)
    const lines = output.split(/\r?\n/).filter(line => line.startsWith('  | ')).map(line => line.slice(4))
    expect(lines.join('')).toContain('execute_command: Potentially dangerous command detected: recursive delete')
    expect(lines.slice(-3)).toEqual(['ls &&', 'rm -rf full', `in ${place.cwd}, without a sandbox`])
    expect(existsSync(join(place.cwd, 'full'))).toBe(true)
  })

  it('allowed always is stored for the user, and not asked about again', async () => {
    const place = workplace('rm -rf full')
    const first = await atTerminal(place, [['deny) ', 'a\n']])
    expect(first).toMatchObject({ exit: 0, left: [] })
    expect(readFileSync(join(place.home, '.hermes', 'config.yaml'), 'utf8')).toContain(`command_allowlist:\n  - "execute_command in ${place.cwd}, without a sandbox: rm -rf full"\n`)
    const second = await atTerminal(place, [])
    expect(second.exit).toBe(0)
    expect(second.output).not.toContain('approval')
    const call = { name: 'execute_command', arguments: { command: 'rm -r other' } }
    writeFileSync(join(place.cwd, 'answer.md'), `<tool_call>${JSON.stringify(call)}</tool_call>\n`)
    expect(await atTerminal(place, [['deny) ', '\n']])).toMatchObject({ exit: 1, left: [] })
  })

  it('denied with a reason tells that to the model', async () => {
    const place = workplace('rm -rf full')
    const { exit, output, left } = await atTerminal(place, [['deny) ', 'd\n'], ['nothing)? ', 'use git clean\n']])
    expect([exit, left]).toEqual([1, []])
    expect(output.replace(/\s+/g, ' ')).toContain('execute_command: the user said no: use git clean')
    expect(existsSync(join(place.cwd, 'full'))).toBe(true)
  })

  it('is shown with the variables it gets; secrets are masked', async () => {
    const place = workplace('ls')
    const env = { BASH_ENV: 'evil.sh', API_TOKEN: 'abcdefgh12345678', CI: '1' }
    const call = { name: 'execute_command', arguments: { command: 'ls', env } }
    writeFileSync(join(place.cwd, 'answer.md'), `<tool_call>${JSON.stringify(call)}</tool_call>\n`)
    const { output, exit } = await atTerminal(place, [['deny) ', '\n']])
    expect(exit).toBe(1)
    const lines = output.split(/\r?\n/).filter(line => line.startsWith('  | ')).map(line => line.slice(4))
    expect(lines.slice(-5)).toEqual([
      'ls', 'BASH_ENV=evil.sh   (changes what runs)', 'API_TOKEN=[masked]', 'CI=1', `in ${place.cwd}, without a sandbox`,
    ])
    expect(lines.join('')).toContain('code by variable')
  })

  it('is refused where there is no terminal, and runs with --yes', async () => {
    const { cwd, home } = workplace('rm -rf full')
    const env = { HOME: home }
    const refused = await cli.run(['apply', 'answer.md', '--json', '--sandbox', 'none'], { cwd, env })
    expect(JSON.parse(refused.stdout)).toMatchObject({ results: [{ code: 'APPROVAL_DENIED', error: expect.stringContaining('recursive delete') as string }] })
    expect(existsSync(join(cwd, 'full'))).toBe(true)
    const approved = await cli.run(['apply', 'answer.md', '--yes', '--sandbox', 'none'], { cwd, env })
    expect(approved.exitCode).toBe(0)
    expect(existsSync(join(cwd, 'full'))).toBe(false)
    // The key that the run is signed with, and nothing that was allowed.
    expect(readdirSync(join(home, '.hermes'))).toEqual(['journal.key'])
  })

  it('without a sandbox is not allowed by --yes', async () => {
    const { approve } = consentOptions({ yes: true, usesStdin: true, signal: new AbortController().signal })
    const request = { action: 'exec', reason: 'runs without a sandbox', reasons: [] }
    await expect(approve?.({ ...request, kind: 'dangerous', pattern: 'recursive delete' })).resolves.toBe('once')
    await expect(approve?.({ ...request, kind: 'unsandboxed' })).rejects.toMatchObject({
      code: 'APPROVAL_DENIED', message: 'exec: no sandbox works here, and --yes does not stand for one',
    })
  })
})
