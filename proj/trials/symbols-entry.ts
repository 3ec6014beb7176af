/** What the trial of the symbol verbs needs, as one module. */
import ts from 'typescript'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../comp/2-config/src/config/index.js'
import type { VerbContext } from '../comp/0-contracts/src/index.js'
import { DiskFiles } from '../comp/2-files/src/store/index.js'
import { createSandbox } from '../comp/2-sandbox/src/index.js'
import { createPathGate } from '../comp/2-files/src/policy/index.js'

export { definitionAgreement, symbolAgreement } from '../comp/4-verb-find/test/symbols/agreement.js'

/** What editors use for files without a tsconfig.json. */
export function usualOptions(): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, allowJs: true, noEmit: true,
    resolveJsonModule: true,
  }
}

export function contextFor(root: string): VerbContext {
  const gate = createPathGate({ root })
  return {
    gate,
    files: new DiskFiles(),
    session: { root: gate.root, context: new Map() },
    limits: DEFAULT_LIMITS,
    policy: DEFAULT_POLICY,
    runId: 'trial',
    sandbox: createSandbox({ root: gate.root }),
    dryRun: false,
    ui: undefined,
    approve: async () => 'unavailable',
    signal: new AbortController().signal,
  }
}
