export { MarkdownFlow } from './markdown-flow.js'
export type { Signs } from './markdown-flow.js'
