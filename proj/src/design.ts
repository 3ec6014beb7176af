/** What is derived from the registry and checked in; used by the design script, not part of the public surface. */
import { DEFAULT_ATOMIC, DEFAULT_LIMITS } from '../comp/executor/src/index.js'
import { ENCODING } from '../comp/files/src/index.js'
import { DENY_PATTERNS } from '../comp/policy/src/index.js'
import {
  lockSchemas, lockViolations, renderDesign as render, renderVerbsPage, VerbRegistry, type SchemaLock,
} from '../comp/registry/src/index.js'
import { COMMAND_CONFINEMENT } from '../comp/sandbox/src/index.js'
import { VERBS } from '../comp/verbs/src/index.js'

export { lockViolations }

export interface Derived {
  design: string
  verbsPage: string
  schemaLock: SchemaLock
}

export async function derive(): Promise<Derived> {
  const verbs = await new VerbRegistry(VERBS).loadAll()
  return {
    design: render(verbs, {
      limits: { ...DEFAULT_LIMITS }, denyPatterns: DENY_PATTERNS, commands: COMMAND_CONFINEMENT, atomic: DEFAULT_ATOMIC,
      encoding: ENCODING,
    }),
    verbsPage: renderVerbsPage(verbs),
    schemaLock: lockSchemas(verbs),
  }
}
