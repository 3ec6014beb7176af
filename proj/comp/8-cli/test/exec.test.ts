import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..')
/** Named only: to bundle them too would take seconds. */
const PACKAGES = /^(?!\.|\/|\w:)/
const cli = useCli()
const envelope = (verb: string, args: object) => JSON.stringify({ verb, arguments: args })

describe('hermes exec', () => {
  it.skipIf(process.platform === 'win32')('ends the command on SIGINT, and still prints its document', async () => {
    const cwd = tempDir()
    const child = spawn(process.execPath, [cli.path, 'exec', '--sandbox', 'none'], { cwd, env: plainEnvironment() })
    const exited = new Promise<number | null>(resolve => {
      child.on('exit', resolve)
    })
    const code = 'echo begun; touch begun; sleep 60'
    child.stdin.end(envelope('proc.run', { executable: 'bash', arguments: ['-c', code] }))
    while (!existsSync(join(cwd, 'begun'))) await sleep(10)
    child.kill('SIGINT')
    const result = JSON.parse(await text(child.stdout)) as { stdoutPath: string }
    expect(await exited).toBe(130)
    expect(result).toMatchObject({ succeeded: false, errorCode: 'CANCELLED', exitCode: 143 })
    expect(readFileSync(result.stdoutPath, 'utf8')).toBe('begun\n')
  })

  it('runs verbs whose packages are loaded on demand', async () => {
    const cwd = tempDir()
    const info = await cli.run(['exec'], { cwd, input: envelope('SYS.machineinfo', {}) })
    expect(info.exitCode).toBe(0)
    expect(JSON.parse(info.stdout)).toMatchObject({ succeeded: true, cpuCount: expect.any(Number) })
    const input = envelope('proc.run', { executable: 'echo', arguments: ['a b', ''] })
    const run = await cli.run(['exec', '--sandbox', 'none'], { cwd, input })
    expect(run.exitCode).toBe(0)
    const { stdoutPath } = JSON.parse(run.stdout) as { stdoutPath: string }
    expect(readFileSync(stdoutPath, 'utf8')).toBe('a b \n')
  })

  it.each([
    ['nothing', '', 'An envelope is a mapping'],
    ['blanks', ' \n\n', 'An envelope is a mapping'],
    ['a broken text', '{"verb": ', 'Invalid JSON'],
  ])('answers %s with a document', async (_, input, hint) => {
    const { stdout, stderr, exitCode } = await cli.run(['exec'], { cwd: tempDir(), input })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 })
    expect(JSON.parse(stdout)).toEqual({
      succeeded: false, errorMessage: 'Invalid Verb envelope.', errorCode: 'INVALID_ENVELOPE',
      hint: expect.stringContaining(hint),
    })
  })

  it('refuses what is no text', async () => {
    const input = Buffer.from([0x7b, 0xff, 0x7d])
    const { stdout, exitCode } = await cli.run(['exec'], { cwd: tempDir(), input })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  })

  it('loads no verb before it is called', async () => {
    const input = join(root, 'proj', 'comp', '8-cli', 'src', 'commands', 'exec', 'run.ts')
    const bundle = await rolldown({
      cwd: root, input, platform: 'node', logLevel: 'silent', external: PACKAGES,
    })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    const chunks = new Map(output.filter(one => one.type === 'chunk').map(chunk => [chunk.fileName, chunk]))
    const loaded = staticModules(chunks, output[0])
    expect(loaded.filter(id => id.includes('/comp/')).length).toBeGreaterThan(10)
    expect(loaded.filter(id => /\/verb-(?!paths)[^/]+\/|^(?:execa|typescript)(?:\/|$)/.test(id))).toEqual([])
  })
})

/** Of modules their paths, of packages their names. */
function staticModules(chunks: ReadonlyMap<string, OutputChunk>, start: OutputChunk): string[] {
  const seen = new Set([start])
  for (const chunk of seen) {
    for (const name of chunk.imports) {
      const imported = chunks.get(name)
      if (imported) seen.add(imported)
    }
  }
  return [...seen].flatMap(chunk => [...chunk.moduleIds, ...chunk.imports])
}
