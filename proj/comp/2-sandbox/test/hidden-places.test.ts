/** Credentials and what hermes keeps are hidden by backends that were never tried where they work: what they are given. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { ContainerBackend } from '../src/container-backend.js'
import { DEFAULT_RESOURCES } from '../src/index.js'
import { SeatbeltBackend } from '../src/seatbelt-backend.js'

/** A home that is the root, with a toolchain in it that has a key of its own beside its programs. */
function place() {
  const root = tempDir()
  for (const name of ['.ssh/id_mine', '.netrc', '.hermes/journal.key', '.hermes/sessions/1.jsonl', '.hermes/skills/one', 'code/a.txt']) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), 'x')
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

it.each(['docker', 'singularity'] as const)('%s', (name) => {
  const { root, backend } = place()
  const { args } = new ContainerBackend(name, backend, { image: 'x', cwd: '/workspace' }).confine(call(root), NESTED)
  const mounts = args.flatMap((arg, index) => (args[index - 1] === '--mount' ? [arg] : []))
  const from = (at: string) => mounts.find(mount => mount.split(',').some(one => /^(?:target|destination)=/.test(one) && one.endsWith(`=${at}`)))
  expect(from('/workspace/.hermes')).toMatch(new RegExp(`source=${root}/\\.hermes,.*,(?:ro|readonly)$`))
  for (const path of ['.netrc', '.hermes/journal.key']) expect(from(`/workspace/${path}`)).toMatch(/source=\/dev\/null,.*,(?:ro|readonly)$/)
  for (const path of ['.ssh', '.hermes/sessions']) expect(from(`/workspace/${path}`)).toMatch(/source=\/.*hermes-empty-.*,(?:ro|readonly)$/)
  expect(mounts.join('\n')).not.toContain('skills')
})
