/** Files derived from the registry and checked in; used by the design script, not part of the public surface. */
import * as v from 'valibot'
import { DEFAULT_ATOMIC, DEFAULT_LIMITS, fileVerbs, PLAN, VERBS } from '../comp/5-executor/src/index.js'
import { ENCODING, DENY_PATTERNS } from '../comp/2-files/src/index.js'
import {
  documentSchema, lockSchemas, lockViolations, renderDesign as render, renderVerbsPage, VerbRegistry, type SchemaLock,
} from '../comp/1-registry/src/index.js'
import { POLICY } from '../comp/2-config/src/index.js'
import { extensionProtocol } from '../comp/2-extensions/src/index.js'
import { COMMAND_CONFINEMENT } from '../comp/2-sandbox/src/index.js'
import { EXAMPLES, playgroundHtml } from '../comp/6-playground/src/index.js'
import { REPLAY_DOCUMENT } from '../comp/6-replay/src/index.js'
import { EXECUTION_RESULT, serveProtocol } from '../comp/6-rpc/src/index.js'

export { lockViolations }

export interface Derived {
  design: string
  verbsPage: string
  schemaLock: SchemaLock
  /** OpenRPC documents, by file name. */
  protocols: Readonly<Record<string, object>>
  /** JSON Schemas of documents that hermes prints and reads, by file name. */
  schemas: Readonly<Record<string, object>>
  /** Page for docs/playground. */
  playground: string
}

const text = v.string()
/** The document of `hermes apply --json`; a failure of the whole run has a code and a hint. */
const RESULT = v.object({
  schemaVersion: v.literal(1), input: v.optional(v.unknown()), ...EXECUTION_RESULT.entries,
  code: v.optional(text), error: v.optional(text), hint: v.optional(text),
})

/** Includes the short form of a file that only names modules of verbs. */
const CONFIG = v.strictObject({
  ...POLICY.entries, verbs: v.optional(v.union([v.unwrap(POLICY.entries.verbs), v.array(text)])),
})

export async function derive(): Promise<Derived> {
  const verbs = await new VerbRegistry(VERBS).loadAll()
  return {
    design: render(verbs, {
      limits: { ...DEFAULT_LIMITS }, denyPatterns: DENY_PATTERNS, commands: COMMAND_CONFINEMENT, atomic: DEFAULT_ATOMIC,
      encoding: ENCODING,
    }),
    verbsPage: renderVerbsPage(verbs),
    schemaLock: lockSchemas(verbs),
    schemas: {
      result: documentSchema('What hermes apply --json prints', RESULT, 'output'),
      replay: documentSchema('What hermes replay --json prints', REPLAY_DOCUMENT, 'output'),
      plan: documentSchema('A plan of hermes apply --dry-run --plan', PLAN, 'input'),
      config: documentSchema('hermes.yaml, and ~/.hermes/config.yaml', CONFIG, 'input'),
    },
    playground: playgroundHtml({ verbs: verbs.map(({ name }) => name), examples: EXAMPLES }),
    protocols: { serve: serveProtocol(), extension: extensionProtocol(await fileVerbs()) },
  }
}
