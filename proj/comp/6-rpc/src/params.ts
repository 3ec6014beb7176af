import * as v from 'valibot'
import { CHECKS, READ_FORMATS, MAPPING_NAMES } from '../../0-contracts/src/index.js'
import { LEAST_REPLY_TOKENS } from '../../1-reports/src/index.js'

const path = v.pipe(v.string(), v.check((text) => !text.includes('\0'), 'Expected a path without NUL'))
const directory = v.pipe(path, v.nonEmpty('Expected a directory'))
const flag = v.optional(v.boolean())
const milliseconds = (least: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(2_147_483_647)))

export const INITIALIZE = v.strictObject({
  protocolVersion: v.optional(v.literal(1)),
  clientInfo: v.optional(v.object({ name: v.string(), version: v.optional(v.string()) })),
  workspaceRoot: v.optional(directory),
  allow: v.optional(v.array(directory)),
  rootAliases: v.optional(v.array(v.string())),
  relativePaths: flag,
  toolsets: v.optional(v.array(v.string())),
  editFormats: v.optional(v.array(v.picklist(READ_FORMATS))),
  mapping: v.optional(v.picklist([...MAPPING_NAMES, 'auto'])),
  match: v.optional(v.picklist(['exact', 'tolerant'])),
  checks: v.optional(v.picklist(CHECKS)),
  gitCommit: flag,
  atomic: v.optional(v.union([v.boolean(), v.literal('files')])),
  durable: flag,
  waitMs: milliseconds(0),
  timeoutMs: milliseconds(1),
  startsInThink: flag,
  assetFolders: v.optional(v.strictObject({
    skills: v.optional(directory), prompts: v.optional(directory), recordings: v.optional(directory),
  })),
  capabilities: v.optional(v.object({ approvals: flag, questions: flag, dialogues: flag, log: flag })),
})
export type InitializeParams = v.InferOutput<typeof INITIALIZE>

export const NOTHING = v.strictObject({})
const REPLY = v.optional(v.strictObject({
  tokens: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(LEAST_REPLY_TOKENS))),
}))
export const EXECUTE = v.strictObject({
  text: v.string(), dryRun: flag, events: flag, progress: flag, reply: REPLY,
  extensions: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.nonEmpty('Expected NAME:COMMAND'))), v.maxLength(100)), [],
  ),
})
export const PARSE = v.strictObject({
  text: v.string(), editFormats: v.optional(v.array(v.picklist(READ_FORMATS))), startsInThink: flag,
})
export const VERB = v.strictObject({ verb: v.string(), arguments: v.optional(v.record(v.string(), v.unknown()), {}) })
const format = v.optional(v.picklist(['hermes', 'json-schema', 'openai', 'anthropic', 'mcp', 'idl']))
export const TOOLS_LIST = v.strictObject({
  category: v.optional(v.string()), toolsets: v.optional(v.array(v.string())), format,
})
export const TOOLS_SHOW = v.strictObject({ name: v.string(), format })
const kind = v.picklist(['skills', 'prompts'])
export const ASSETS_LIST = v.strictObject({ kind })
export const ASSETS_READ = v.strictObject({ kind, name: path })
