/** The pure part of hermes: no I/O, no Node; runs in a browser. */
export {
  defineVerb, EXECUTION_CODES, HermesError, NESL_CODES, NODE_CODES, SCANNER_CODES, type AccessClass, type Accessibility,
  type ActionResult, type AnyVerb, type BlockFormat, type EditFormat, type ErrorCode, type ExecutionResult, type Fix,
  type Limits, type ParsedBlock, type ParseError, type ParseOutcome, type SkippedBlock, type VerbContext,
  type VerbDefinition, type Vocabulary,
} from '../comp/0-contracts/src/index.js'
export { parse, parseChunks } from '../comp/1-reading/src/index.js'
export {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, parameterDefinitions, renderIdl, resultJsonSchema, selectToolsets,
  toolName, TOOLSET_NAMES, toVerbResult, TransformError, transformToAction, validateCall, validateShamBlock,
  VerbRegistry, type ActionDefinition, type AnthropicTool, type CallError, type CallValidation, type CladaAction,
  type JsonSchema, type LazyVerb, type McpTool, type OpenAiTool, type ParameterDefinition, type ParameterDefinitions,
  type ParameterType, type PathRules, type ShamBlock, type ShamValidation,
} from '../comp/1-registry/src/index.js'
