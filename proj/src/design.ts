/** What is derived from the registry and checked in; used by the design script, not part of the public surface. */
import { DEFAULT_ATOMIC, DEFAULT_LIMITS, fileVerbs, VERBS } from '../comp/5-executor/src/index.js'
import { ENCODING, DENY_PATTERNS } from '../comp/2-files/src/index.js'
import {
  lockSchemas, lockViolations, renderDesign as render, renderVerbsPage, VerbRegistry, type SchemaLock,
} from '../comp/1-registry/src/index.js'
import { extensionProtocol } from '../comp/2-extensions/src/index.js'
import { COMMAND_CONFINEMENT } from '../comp/2-sandbox/src/index.js'
import { serveProtocol } from '../comp/6-rpc/src/index.js'

export { lockViolations }

export interface Derived {
  design: string
  verbsPage: string
  schemaLock: SchemaLock
  /** OpenRPC documents by the names of their files. */
  protocols: Readonly<Record<string, object>>
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
    protocols: { serve: serveProtocol(), extension: extensionProtocol(await fileVerbs()) },
  }
}
