import * as v from 'valibot'
import { POSITION_ENCODINGS } from './protocol-positions.js'

/** What is looked at of a server's messages (LSP 3.17); other members are left alone. */

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const position = v.object({ line: number, character: number })
const range = v.object({ start: position, end: position })
const location = v.object({ uri: v.string(), range })
const locationLink = v.pipe(
  v.object({ targetUri: v.string(), targetSelectionRange: range }),
  v.transform(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange })),
)
const anyLocation = v.union([location, locationLink])

/** Of `textDocument/definition` and `textDocument/references`. */
export const LOCATIONS = v.pipe(
  v.nullish(v.union([v.array(anyLocation), anyLocation])),
  v.transform((answer) => (answer === null || answer === undefined ? [] : Array.isArray(answer) ? answer : [answer])),
)

const textEdit = v.object({ range, newText: v.string() })
const documentEdit = v.object({
  textDocument: v.object({ uri: v.string(), version: v.nullish(v.pipe(v.number(), v.safeInteger())) }),
  edits: v.array(textEdit),
})
const fileOperation = v.object({ kind: v.picklist(['create', 'rename', 'delete']) })

export const WORKSPACE_EDIT = v.nullish(v.object({
  changes: v.nullish(v.record(v.string(), v.array(textEdit))),
  documentChanges: v.nullish(v.array(v.union([fileOperation, documentEdit]))),
}))
export type WorkspaceEdit = NonNullable<v.InferOutput<typeof WORKSPACE_EDIT>>

export const DIAGNOSTIC = v.object({
  range,
  severity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4))),
  code: v.nullish(v.union([v.string(), v.number()])),
  source: v.nullish(v.string()),
  message: v.string(),
})
export type Diagnostic = v.InferOutput<typeof DIAGNOSTIC>

export const DIAGNOSTIC_REPORT = v.object({ kind: v.literal('full'), items: v.array(DIAGNOSTIC) })

export const PUBLISHED = v.object({
  uri: v.string(), version: v.nullish(v.pipe(v.number(), v.safeInteger())), diagnostics: v.array(DIAGNOSTIC),
})

const provider = v.nullish(v.unknown())
export const INITIALIZED = v.object({
  capabilities: v.object({
    positionEncoding: v.nullish(v.picklist(POSITION_ENCODINGS), 'utf-16'),
    textDocumentSync: v.nullish(v.union([
      v.number(), v.object({ change: v.nullish(v.number()), save: v.nullish(v.unknown()) }),
    ])),
    definitionProvider: provider,
    referencesProvider: provider,
    renameProvider: provider,
    diagnosticProvider: v.nullish(v.object({ identifier: v.nullish(v.string()) })),
  }),
  serverInfo: v.nullish(v.object({ name: v.string(), version: v.nullish(v.string()) })),
})
export type ServerCapabilities = v.InferOutput<typeof INITIALIZED>['capabilities']

export const CONFIGURATION_PARAMS = v.object({ items: v.array(v.object({ section: v.nullish(v.string()) })) })

export const PROGRESS = v.object({
  token: v.union([v.string(), v.number()]), value: v.object({ kind: v.optional(v.string()) }),
})
