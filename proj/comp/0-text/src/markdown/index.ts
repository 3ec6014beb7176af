export { isMarkdown, sectionsOf, slugOf } from './markdown-sections.js'
export type { Section } from './markdown-sections.js'
