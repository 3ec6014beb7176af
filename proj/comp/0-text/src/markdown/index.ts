export { isMarkdown, sectionsOf, slugOf, type Section } from './markdown-sections.js'
