export { BASICS_OF, PROMPT_FORMATS, VOCABULARY_OF, type PromptFormat } from './prompt-options.js'
export { selectPromptVerbs } from './select-verbs.js'
export { ESTIMATE, estimateTokens } from './token-estimate.js'
export { writePrompt, type Prompt, type PromptSize } from './write-prompt.js'
