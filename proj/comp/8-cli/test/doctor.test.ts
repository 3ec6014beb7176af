import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { needing } from '../../../test/support/needs.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()

/** A project with a policy file, and a home that is empty. */
function project(policy: string) {
  const cwd = tempDir()
  const env = { HOME: join(cwd, 'home') }
  mkdirSync(env.HOME)
  writeFileSync(join(cwd, 'hermes.yaml'), policy)
  return { cwd, env }
}

describe('hermes doctor', () => {
  it('says what is wrong, how to mend it, and ends with 1', async () => {
    const bad = await cli.run(['doctor'], project('verbs: { wirte: off }\n'))
    expect(bad).toMatchObject({ exitCode: 1, stderr: '' })
    expect(bad.stdout).toContain('✗  policy files  hermes.yaml:1:10: unknown name verbs.wirte; did you mean write?\n                 fix: ')
    expect(bad.stdout).toMatch(/\n\n\d+ problems?\b.*\n$/)
  })
})

needing('bubblewrap').describe('hermes doctor', () => {
  it('finds nothing wrong where all is there; notes do not count', async () => {
    const good = await cli.run(['doctor', '--json'], project(''))
    const { success, findings } = JSON.parse(good.stdout) as { success: boolean; findings: { id: string; status: string }[] }
    expect(findings.filter(({ status }) => status === 'warning' || status === 'problem')).toEqual([])
    expect(findings.find(({ id }) => id === 'sandbox')?.status).toBe('ok')
    expect(findings.some(({ status }) => status === 'note')).toBe(true)
    expect([good.exitCode, success]).toEqual([0, true])
  })

  it('finds programs for an account that has no home', async () => {
    const { cwd } = project('')
    const { stdout } = await cli.run(['doctor', '--json'], { cwd, env: { HOME: join(cwd, 'nonexistent') } })
    const { findings } = JSON.parse(stdout) as { findings: { id: string; status: string; detail: string }[] }
    expect(findings.filter(({ detail }) => detail.startsWith('not found in PATH'))).toEqual([])
    expect(findings.find(({ id }) => id === 'git')?.status).toBe('ok')
  })
})
