export {
  anthropicTool, argsJsonSchema, callText, camelCase, checkResult, convertText, describeVerb, documentSchema,
  exampleCall, firstSentence, lockSchemas, lockViolations, mcpTool, meantAction, mendsOf, openAiTool,
  parameterDefinitions, parameterInWords, partSchemas, plainCopy, renderDesign, renderIdl, renderVerbsPage,
  resultFields, resultJsonSchema, selectToolsets, shamBlock, structuredContent, takes, toolName, TOOLSET_NAMES,
  toVerbResult, TransformError, transformToAction, validateCall, validateShamBlock, VerbRegistry, withJsonSchema,
} from './registry/index.js'
export type {
  ActionDefinition, AnthropicTool, CallError, CallValidation, CheckedResult, CladaAction, JsonSchema, LazyVerb, McpTool,
  OpenAiTool, ParameterDefinition, ParameterDefinitions, ParameterType, PathRules, PlainCopy, SchemaLock, ShamBlock,
  ShamValidation,
} from './registry/index.js'
export {
  ESTIMATE, estimateTokens, PROMPT_FORMATS, selectPromptVerbs, VOCABULARY_OF, writePrompt,
} from './prompt/index.js'
export type { Prompt, PromptFormat, PromptSize } from './prompt/index.js'
