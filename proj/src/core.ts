/** The pure part of hermes: no I/O, no Node; runs in a browser. */
export {
  EXECUTION_CODES, HermesError, NESL_CODES, NODE_CODES, SCANNER_CODES, defineVerb,
} from '../comp/0-contracts/src/index.js'
export type {
  AccessClass, Accessibility, ActionResult, AnyVerb, BlockFormat, EditFormat, ErrorCode, ExecutionResult, Fix, Limits,
  ParsedBlock, ParseError, ParseOutcome, SkippedBlock, VerbContext, VerbDefinition, Vocabulary,
} from '../comp/0-contracts/src/index.js'
export { parse, parseChunks } from '../comp/1-reading/src/index.js'
export {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, parameterDefinitions, renderIdl, resultJsonSchema,
  selectToolsets, toolName, TOOLSET_NAMES, toVerbResult, transformToAction, TransformError, validateCall,
  validateShamBlock, VerbRegistry,
} from '../comp/1-registry/src/index.js'
export type {
  ActionDefinition, AnthropicTool, CallError, CallValidation, CladaAction, JsonSchema, LazyVerb, McpTool, OpenAiTool,
  ParameterDefinition, ParameterDefinitions, ParameterType, PathRules, ShamBlock, ShamValidation,
} from '../comp/1-registry/src/index.js'
