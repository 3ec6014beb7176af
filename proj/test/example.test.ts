import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copySync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { useCli } from './support/cli.js'
import { readTree } from './support/file-tree.js'
import { tempDir } from './support/temp-dir.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = (name: string): string => join(root, 'examples', name)
const recorded = (name: string): string => join(root, 'test-data', 'example', name)

describe('the examples', () => {
  const cli = useCli()
  const freshProject = (): string => {
    const project = join(tempDir(), 'project')
    copySync(example('project'), project)
    return project
  }
  const apply = (project: string, answer: string, ...flags: string[]) => (
    cli.run(['apply', example(answer), '--root', project, '--root-alias', '/workspace', ...flags], { cwd: root })
  )

  it('succeed whole, show people each block, and give the recorded tree', async () => {
    const project = freshProject()
    const { stdout, stderr, exitCode } = await apply(project, 'response.md')
    expect(stdout.replace(/\d+\.\d\d s$/m, '0.00 s')).toBe(readFileSync(recorded('output.txt'), 'utf8'))
    expect([stderr, exitCode]).toEqual(['', 0])
    expect(readTree(project)).toEqual(readTree(recorded('expected')))
  })

  it('give the feedback by which a second answer mends what failed in the first', async () => {
    const project = freshProject()
    const first = await apply(project, 'broken-response.md', '--feedback')
    expect(first).toEqual({ stdout: readFileSync(recorded('feedback.txt'), 'utf8'), stderr: '', exitCode: 1 })
    const second = await apply(project, 'mended-response.md', '--feedback')
    expect(second).toEqual({ stdout: 'All 2 blocks succeeded.\n', stderr: '', exitCode: 0 })
    expect(readTree(project)).toEqual({ ...readTree(example('project')), ...readTree(recorded('mended')) })
  })

  it('run the tests of what the first one leaves', async () => {
    const project = freshProject()
    await apply(project, 'response.md')
    // With consent to no sandbox, since not every machine has one.
    const { stdout, exitCode } = await apply(project, 'tests-response.md', '--sandbox', 'none')
    expect(stdout).toMatch(/^✓ {2}x1q {2}exec .* exit 0\n.*# tests 3\n.*# pass 3\n.*# fail 0\n/)
    expect(exitCode).toBe(0)
  })

  it('change nothing in a dry run', async () => {
    const { stdout, exitCode } = await apply(example('project'), 'response.md', '--dry-run')
    expect(stdout).toContain('-  const text = String(cents / 100)\n')
    expect(stdout).toContain('Dry run: nothing was changed.\n')
    expect(exitCode).toBe(0)
    expect(readTree(example('project'))['src/money.js']).toContain('String(cents / 100)')
  })
})
