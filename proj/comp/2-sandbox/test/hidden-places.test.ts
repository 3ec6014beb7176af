/** Credentials and what hermes keeps are hidden by backends that were never tried where they work: what they are given. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { MountPlan } from '../src/containers/index.js'
import { DEFAULT_RESOURCES } from '../src/index.js'
import { SeatbeltBackend } from '../src/seatbelt-backend.js'

/** A home that is the root, with a toolchain in it that has a key of its own beside its programs. */
function place() {
  const root = tempDir()
  for (const name of ['.ssh/id_mine', '.netrc', '.hermes/journal.key', '.hermes/sessions/1.jsonl', '.hermes/skills/one', 'code/a.txt']) {
    outputFileSync(join(root, name), 'x')
  }
  vi.stubEnv('HOME', root)
  vi.stubEnv('HERMES_HOME', '')
  vi.stubEnv('TMPDIR', tempDir())
  onTestFinished(() => void vi.unstubAllEnvs())
  const tools = tempDir()
  mkdirSync(join(tools, 'bin'))
  writeFileSync(join(tools, 'bin', 'tool'), 'x', { mode: 0o755 })
  writeFileSync(join(tools, 'bin', '.npmrc'), 'x')
  const env = { HOME: root, PATH: `${tools}/bin:/usr/bin:/bin` }
  return { root, tools, backend: { root, allow: [], readOnly: [], resources: DEFAULT_RESOURCES, env: () => env } }
}
const call = (cwd: string) => ({ verb: 'exec', file: '/bin/true', args: [], cwd })
const NESTED = { kept: [], missing: [] }

it('seatbelt', () => {
  const { root, tools, backend } = place()
  const profile = new SeatbeltBackend(backend).confine(call(root), NESTED).args[1] ?? ''
  const hidden = profile.split('\n').find(line => line.startsWith('(deny file-read*')) ?? ''
  for (const path of [`${root}/.ssh`, `${root}/.netrc`, `${root}/.hermes/journal.key`, `${root}/.hermes/sessions`, `${tools}/bin/.npmrc`]) {
    expect(hidden).toContain(`(subpath "${path}")`)
  }
  expect(hidden).not.toMatch(/tool"|code|skills|hermes"/)
  expect(profile).toMatch(new RegExp(`\\(deny file-write\\* .*\\(subpath "${root}/\\.hermes"\\)`))
  // Of rules that fit, the last one counts.
  expect(profile.indexOf(hidden)).toBeGreaterThan(profile.lastIndexOf('(allow file'))
})

it('containers', () => {
  const { root, backend } = place()
  const { mounts, release } = new MountPlan(backend, path => path.replace(root, '/workspace')).now('exec', NESTED)
  release()
  const at = (path: string) => mounts.find(mount => mount.at === path)
  expect(at('/workspace')).toMatchObject({ from: root, readOnly: false })
  expect(at('/workspace/.hermes')).toMatchObject({ from: join(root, '.hermes'), readOnly: true })
  for (const path of ['.netrc', '.hermes/journal.key']) expect(at(`/workspace/${path}`)).toMatchObject({ from: '/dev/null', readOnly: true })
  for (const path of ['.ssh', '.hermes/sessions']) expect(at(`/workspace/${path}`)).toMatchObject({ from: expect.stringMatching(/\/empty$/), readOnly: true })
  expect(mounts.map(mount => mount.at).join('\n')).not.toContain('skills')
})
