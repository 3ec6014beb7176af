import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { afterAll } from 'vitest'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../../2-config/src/config/index.js'
import type { SandboxMode, VerbContext } from '../../../0-contracts/src/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'

/** A context over a temporary root of its own; its shells end after the tests it is called beside. */
export function useTerminalContext(mode: SandboxMode): VerbContext {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  const context = terminalContext(root, mode)
  afterAll(async () => {
    for (const one of context.session.kept?.values() ?? []) await one[Symbol.asyncDispose]()
    removeSync(root)
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
