/** Renders `unified-design.yaml` from the registry; used by the design script, not part of the public surface. */
import { DEFAULT_LIMITS } from '../comp/executor/src/index.js'
import { DENY_PATTERNS } from '../comp/policy/src/index.js'
import { renderDesign as render, VerbRegistry } from '../comp/registry/src/index.js'
import { VERBS } from '../comp/verbs/src/index.js'

export async function renderDesign(): Promise<string> {
  const verbs = await new VerbRegistry(VERBS).loadAll()
  return render(verbs, { limits: { ...DEFAULT_LIMITS }, denyPatterns: DENY_PATTERNS })
}
