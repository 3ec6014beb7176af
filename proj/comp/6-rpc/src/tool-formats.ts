import type { AnyVerb } from '../../0-contracts/src/index.js'
import {
  anthropicTool, argsJsonSchema, describeVerb, mcpTool, openAiTool, renderIdl, resultJsonSchema,
} from '../../1-registry/src/index.js'

/** A verb as `tools/list` and `tools/show` tell of it. */
export const TOOL_FORMATS = {
  hermes: (verb: AnyVerb): object => ({ name: verb.name, ...describeVerb(verb) }),
  'json-schema': (verb: AnyVerb): object => ({
    name: verb.name, arguments: argsJsonSchema(verb), result: resultJsonSchema(verb),
  }),
  openai: (verb: AnyVerb): object => openAiTool(verb),
  anthropic: (verb: AnyVerb): object => anthropicTool(verb),
  mcp: (verb: AnyVerb): object => mcpTool(verb),
  idl: (verb: AnyVerb): object => ({ name: verb.name, idl: renderIdl([verb]) }),
}
