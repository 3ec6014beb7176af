export {
  anthropicTool, argsJsonSchema, callText, camelCase, checkResult, convertText, describeVerb, documentSchema,
  exampleCall, firstSentence, lockSchemas, lockViolations, mcpTool, meantAction, mendsOf, openAiTool,
  parameterDefinitions, parameterInWords, partSchemas, plainCopy, renderDesign, renderIdl, renderVerbsPage,
  resultFields, resultJsonSchema, selectToolsets, shamBlock, structuredContent, takes, toolName, TOOLSET_NAMES,
  toVerbResult, TransformError, transformToAction, validateCall, validateShamBlock, VerbRegistry, withJsonSchema,
  type ActionDefinition, type AnthropicTool, type CallError, type CallValidation, type CheckedResult, type CladaAction,
  type JsonSchema, type LazyVerb, type McpTool, type OpenAiTool, type ParameterDefinition, type ParameterDefinitions,
  type ParameterType, type PathRules, type PlainCopy, type SchemaLock, type ShamBlock, type ShamValidation,
} from './registry/index.js'
export {
  ESTIMATE, estimateTokens, PROMPT_FORMATS, selectPromptVerbs, VOCABULARY_OF, writePrompt,
} from './prompt/index.js'
export type { Prompt, PromptFormat, PromptSize } from './prompt/index.js'
