import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { HermesError, type PathAccess } from '../../../0-contracts/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { loadPolicy } from '../../src/config/index.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

const cases = readGoldens(new URL('../../test-data/config/paths.cases.md', import.meta.url))
const FILES = [
  'project/src/a.ts', 'project/src/deep/b.md', 'project/docs/readme.md', 'project/secrets/key.txt', 'project/vendor/lib.js',
  'project/top.md', 'project/.env', 'shared/x.md', 'shared/secrets/y', 'elsewhere',
]

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('policies and paths', () => {
  it.each(cases)('$group: $name', async ({ fences }) => {
    const places: Record<string, string> = {}
    const body = (info: string) => fences.find((fence) => fence.info === info)?.body
      .replace(/\{(root|home|shared)\}/g, (_, name: string) => places[name] ?? '')
    // What a file says of places needs them before it is written.
    const { home, root } = policyWorld(Object.fromEntries(FILES.map((name) => [name, ''])))
    Object.assign(places, { home, root, shared: join(dirname(root), 'shared') })
    symlinkSync('secrets', join(root, 'link'))
    write(join(root, '..', USER), body('yaml user'))
    write(join(root, '..', PROJECT), body('yaml project'))
    expect(await judge(root, places['shared'] ?? '', body('paths') ?? '')).toBe(body('paths') ?? body('error'))
  })
})

function write(file: string, text: string | undefined): void {
  if (text === undefined) return
  outputFileSync(file, text)
}

/** The same lines with what the gate says. */
async function judge(root: string, allowed: string, lines: string): Promise<string> {
  try {
    const { paths } = await loadPolicy({ root, policy: undefined, wishes: { limits: {} } })
    const gate = createPathGate({ root, allow: [allowed], policy: paths })
    return lines.split('\n').map((line) => {
      const [, access = '', path = ''] = /^(\w+) ([^:]+):/.exec(line) ?? []
      return `${access} ${path}: ${reason(() => gate.approve(path, access as PathAccess))}`
    }).join('\n')
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return error.message
  }
}

function reason(approve: () => unknown): string {
  try {
    approve()
    return 'ok'
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'POLICY_DENIED') throw error
    return error.message.startsWith('Path is outside') ? 'outside' : /\((.*)\)$/.exec(error.message)?.[1] ?? error.message
  }
}
