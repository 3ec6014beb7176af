import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()

it('hermes doctor says what is wrong, how to mend it, and ends with 1; notes do not count', async () => {
  const cwd = tempDir()
  const env = { HOME: join(cwd, 'home') }
  mkdirSync(env.HOME)
  writeFileSync(join(cwd, 'hermes.yaml'), 'verbs: { wirte: off }\n')
  const bad = await cli.run(['doctor'], { cwd, env })
  expect(bad).toMatchObject({ exitCode: 1, stderr: '' })
  expect(bad.stdout).toContain('✗  policy files  hermes.yaml:1:10: unknown name verbs.wirte; did you mean write?\n                 fix: ')
  expect(bad.stdout).toMatch(/\n\n1 problem\b.*\n$/)
  writeFileSync(join(cwd, 'hermes.yaml'), '')
  const good = await cli.run(['doctor', '--json'], { cwd, env })
  const { success, findings } = JSON.parse(good.stdout) as { success: boolean; findings: { id: string; status: string }[] }
  const bads = findings.filter(({ status }) => status === 'warning' || status === 'problem').map(({ id }) => id)
  // The command stands alone in a directory here: the optional packages are not beside it.
  expect(bads.filter((id) => !['ripgrep', 'tree-sitter', 'typescript'].includes(id))).toEqual([])
  expect(findings.find(({ id }) => id === 'sandbox')?.status).toBe('ok')
  expect([good.exitCode, success]).toEqual(bads.length === 0 ? [0, true] : [1, false])
})
