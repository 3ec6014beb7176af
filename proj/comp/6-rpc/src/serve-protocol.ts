import * as v from 'valibot'
import { SANDBOX_ACCESS, type ApprovalRequest } from '../../0-contracts/src/index.js'
import { dialogueMethods } from '../../2-extensions/src/index.js'
import {
  checkedParams, openRpcDocument, RPC, type DescribedMethod, type Fields, type OpenRpcDocument,
} from '../../2-wire/src/index.js'
import {
  ASSETS_LIST, ASSETS_READ, EXECUTE, INITIALIZE, NOTHING, PARSE, TOOLS_LIST, TOOLS_SHOW, VERB,
} from './params.js'
import { EVENT, EXECUTION_RESULT, PARSED_BLOCK, PARSE_ERROR, RUN_SCHEMAS, SKIPPED_BLOCK } from './run-schemas.js'

const text = v.string()
const optionalText = v.optional(text)
const whole = v.pipe(v.number(), v.integer())
const document = v.record(text, v.unknown())
/** Id of the request it concerns. */
const request = v.union([v.number(), text])

const INITIALIZED = v.object({
  protocolVersion: v.literal(1),
  serverInfo: v.object({ name: text, version: text }),
  workspaceRoot: text,
  allow: v.array(text),
  assetFolders: v.object({ skills: optionalText, prompts: optionalText, recordings: optionalText }),
  capabilities: v.object({ methods: v.array(text), maxMessageBytes: whole }),
})
const PARSED = v.object({
  blocks: v.array(PARSED_BLOCK), errors: v.array(PARSE_ERROR), skipped: v.array(SKIPPED_BLOCK), totalBlocks: whole,
})
/** Includes the verb's own fields, which tools/show describes. */
const VERB_RESULT = v.objectWithRest({
  succeeded: v.boolean(), errorMessage: optionalText, errorCode: optionalText, hint: optionalText,
}, v.unknown())
const OPEN_RPC = v.object({
  openrpc: text, info: document, methods: v.array(document), components: document,
})

const REQUESTS: readonly Omit<DescribedMethod, 'sentBy'>[] = [
  { name: 'initialize', summary: 'Begins the session; comes first, once', params: INITIALIZE, result: INITIALIZED },
  {
    name: 'execute', summary: 'Runs a model\'s answer', params: EXECUTE,
    result: v.intersect([EXECUTION_RESULT, v.object({ reply: optionalText })]),
  },
  { name: 'parse', summary: 'Reads a model\'s answer and runs nothing', params: PARSE, result: PARSED },
  { name: 'verb/execute', summary: 'Calls one verb', params: VERB, result: VERB_RESULT },
  {
    name: 'tools/list', summary: 'The verbs that the session can call', params: TOOLS_LIST,
    result: v.object({ tools: v.array(document) }),
  },
  { name: 'tools/show', summary: 'One verb', params: TOOLS_SHOW, result: v.object({ tool: document }) },
  {
    name: 'assets/list', summary: 'The files of a folder that initialize named', params: ASSETS_LIST,
    result: v.object({ assets: v.array(v.object({ name: text, bytes: whole })) }),
  },
  {
    name: 'assets/read', summary: 'One of those files', params: ASSETS_READ,
    result: v.object({ name: text, content: text }),
  },
  { name: 'shutdown', summary: 'Lets what runs come to its end', params: NOTHING, result: v.null() },
  { name: 'rpc.discover', summary: 'This document; needs no initialize', params: NOTHING, result: OPEN_RPC },
]

const APPROVAL = v.object({
  request, action: text, reason: text, kind: text, pattern: optionalText,
  reasons: v.array(v.object({ kind: text, pattern: optionalText, text })), command: optionalText,
  variables: v.optional(v.array(v.object({ name: text, value: text, changesWhatRuns: v.optional(v.literal(true)) }))),
  directory: optionalText, sandbox: optionalText, network: v.optional(v.boolean()),
  hosts: v.optional(v.array(v.string())),
  access: v.optional(v.picklist(SANDBOX_ACCESS)), offers: v.optional(v.array(v.picklist(SANDBOX_ACCESS))),
  paths: v.optional(v.array(text)), diff: optionalText, exact: optionalText,
} satisfies Fields<ApprovalRequest & { request: unknown }>)

const TO_CLIENT: readonly Omit<DescribedMethod, 'sentBy'>[] = [
  {
    name: 'approval/request', summary: 'Asks for consent; sent where capabilities.approvals is true', params: APPROVAL,
    result: v.object({
      answer: v.picklist(['once', 'session', 'always', 'deny']), scope: v.optional(v.picklist(['exact', 'kind'])),
      reason: optionalText, access: v.optional(v.picklist(SANDBOX_ACCESS)),
    }),
  },
  {
    name: 'ui/ask', summary: 'Asks the user; sent where capabilities.questions is true',
    params: v.object({
      request, question: text, options: v.optional(v.array(text)), defaultOption: optionalText,
    }),
    result: v.object({ answer: text }),
  },
  {
    name: 'ui/confirm', summary: 'Asks the user to agree; sent where capabilities.questions is true',
    params: v.object({ request, description: text, destructive: v.boolean() }),
    result: v.object({ confirmed: v.boolean() }),
  },
  ...dialogueMethods().map((method) => ({
    ...method, summary: `${method.summary}, for an extension; sent where capabilities.dialogues is true`,
    params: v.intersect([v.object({ request, extension: text }), ...(method.params ? [method.params] : [])]),
  })),
  {
    name: 'execute/event', summary: 'What happens in a run, in order',
    params: v.object({ request, event: EVENT }),
  },
  {
    name: 'execute/progress', summary: 'How many blocks of a run are done',
    params: v.object({ request, finished: whole, total: whole }),
  },
  {
    name: 'log', summary: 'A message that nobody could use', params: v.object({ level: text, message: text }),
  },
]

const CANCEL = {
  name: '$/cancelRequest', summary: 'Cancels a request; it is answered all the same', params: v.object({ id: request }),
}
const NOTIFICATIONS: readonly Omit<DescribedMethod, 'sentBy'>[] = [
  { name: 'initialized', summary: 'Does nothing; clients of language servers send it' },
  { name: 'exit', summary: 'Ends the session at once' },
]

/** OpenRPC document of `hermes serve`: what clients send, and what they receive. */
export function serveProtocol(): OpenRpcDocument {
  return openRpcDocument({
    title: 'hermes serve', version: '1.0.0',
    description: 'JSON-RPC 2.0 with Content-Length framing, or by HTTP (hermes help server). x-sent-by names '
      + 'the side that sends a method; one without a result is a notification. Fields may be added to results.',
    methods: [
      ...[...REQUESTS, ...NOTIFICATIONS].map((method) => ({ ...method, sentBy: 'client' })),
      ...TO_CLIENT.map((method) => ({ ...method, sentBy: 'server' })),
      { ...CANCEL, sentBy: 'both' },
    ],
    schemas: RUN_SCHEMAS, errors: RPC,
  })
}

/** Answered for any client, even before it has a session. */
export const DISCOVER = { 'rpc.discover': checkedParams(NOTHING, serveProtocol) }
