import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../config/src/index.js'
import type { SandboxMode, VerbContext } from '../../contracts/src/index.js'
import { DiskFiles } from '../../files/src/index.js'
import { createPathGate } from '../../policy/src/index.js'
import { createSandbox } from '../../sandbox/src/index.js'

const isRequired = !['', '0', 'false'].includes(process.env['CI'] ?? '')

/** Whether shells on pseudoterminals can be tried here. */
function isThere(): boolean {
  try {
    createRequire(import.meta.url).resolve('@lydell/node-pty')
    return spawnSync('bash', ['--version']).status === 0
  } catch {
    return false
  }
}

/** Tests that need a pseudoterminal and bash: without them they are skipped, and say so; where `CI` is set that fails. */
export function describeWithTerminal(name: string, tests: () => void): void {
  const there = isThere()
  describe.skipIf(!there && !isRequired)(there ? name : `${name} (needs bash and @lydell/node-pty)`, () => {
    tests()
  })
}

/** A context over a temporary root of its own; its shells end after the tests it is called beside. */
export function useTerminalContext(mode: SandboxMode): VerbContext {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  const context = terminalContext(root, mode)
  afterAll(async () => {
    for (const one of context.session.kept?.values() ?? []) await one[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
  })
  return context
}

/** A context whose session keeps shells. */
export function terminalContext(root: string, mode: SandboxMode, more: Partial<VerbContext> = {}): VerbContext {
  const kept = new Map<string, AsyncDisposable>()
  return {
    gate: createPathGate({ root }), files: new DiskFiles(), session: { root, context: new Map(), kept }, limits: DEFAULT_LIMITS,
    policy: DEFAULT_POLICY, runId: 'test', sandbox: createSandbox({ root, mode }), dryRun: false, ui: undefined,
    approve: async ({ kind }) => (kind === 'dangerous' ? 'denied' : 'granted'), signal: new AbortController().signal, ...more,
  }
}
