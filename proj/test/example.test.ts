import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useCli } from './support/cli.js'
import { readTree } from './support/file-tree.js'
import { tempDir } from './support/temp-dir.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = (name: string): string => join(root, 'examples', name)
const recorded = (name: string): string => join(root, 'test-data', 'example', name)

describe('the example', () => {
  const cli = useCli()

  it('gives the recorded tree, and the feedback that mends its one broken block', async () => {
    const project = join(tempDir(), 'project')
    cpSync(example('project'), project, { recursive: true })
    const apply = (file: string, ...flags: string[]) => (
      cli.run(['apply', file, '--root', project, '--root-alias', '/workspace', ...flags], { cwd: root })
    )

    const first = await apply(example('response.md'), '--feedback')
    expect(first).toEqual({ stdout: readFileSync(recorded('feedback.txt'), 'utf8'), stderr: '', exitCode: 1 })
    const expected = readTree(recorded('expected'))
    expect(readTree(project)).toEqual(expected)

    const second = await apply(recorded('mended.md'), '--feedback')
    expect(second).toEqual({ stdout: 'The block succeeded.\n', stderr: '', exitCode: 0 })
    expect(readTree(project)).toEqual({ ...expected, ...readTree(recorded('expected-mended')) })
  })

  it('shows people each block and the tests it runs', async () => {
    const project = join(tempDir(), 'project')
    cpSync(example('project'), project, { recursive: true })
    const { stdout, exitCode } = await cli.run(
      ['apply', example('response.md'), '--root', project, '--root-alias', '/workspace'], { cwd: root },
    )
    expect(stdout.replace(/\d+\.\d\d s$/m, '0.00 s')).toBe(readFileSync(recorded('output.txt'), 'utf8'))
    expect(exitCode).toBe(1)
  })

  it('changes nothing in a dry run', async () => {
    const args = ['apply', example('response.md'), '--root', example('project'), '--root-alias', '/workspace']
    const { stdout, exitCode } = await cli.run([...args, '--dry-run'], { cwd: root })
    expect(stdout).toContain('-  const text = String(cents / 100)\n')
    expect(stdout).toContain('Dry run: nothing was changed.\n')
    expect(exitCode).toBe(1)
    expect(readTree(example('project'))['src/money.js']).toContain('String(cents / 100)')
  })
})
