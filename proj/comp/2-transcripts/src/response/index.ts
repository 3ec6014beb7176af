import type { ModelResponse } from '../../../0-contracts/src/index.js'

export { anthropicParts, isAnthropicPart } from './anthropic-parts.js'
export { bedrockParts } from './bedrock-parts.js'
export { chatParts } from './chat-parts.js'
export { commandId } from './client-tools.js'
export { geminiParts } from './gemini-parts.js'
export { itemPart } from './item-parts.js'
export { langChainMessage, langChainParts } from './langchain-parts.js'
export { isStreamPiece, readResponse, streamedResponses, wholeResponse } from './read-response.js'
export type ModelAnswer = Pick<ModelResponse, 'parts'>
