export {
  anthropicTool, argsJsonSchema, callText, camelCase, convertText, describeVerb, exampleCall,
  firstSentence, lockSchemas, lockViolations, mcpTool, meantAction, mendsOf, openAiTool, parameterDefinitions,
  parameterInWords, partSchemas, renderDesign, renderIdl,
  renderVerbsPage, resultFields, resultJsonSchema, selectToolsets, shamBlock, structuredContent, takes, toolName,
  TOOLSET_NAMES, toVerbResult, TransformError, transformToAction, validateCall, validateShamBlock, VerbRegistry,
  withJsonSchema,
} from './registry/index.js'
export type {
  ActionDefinition, AnthropicTool, CallError, CallValidation, CladaAction, JsonSchema, LazyVerb, McpTool, OpenAiTool,
  ParameterDefinition, ParameterDefinitions, ParameterType, PathRules, SchemaLock, ShamBlock, ShamValidation,
} from './registry/index.js'
export {
  ESTIMATE, estimateTokens, PROMPT_FORMATS, selectPromptVerbs, VOCABULARY_OF, writePrompt,
} from './prompt/index.js'
export type { Prompt, PromptFormat, PromptSize } from './prompt/index.js'
