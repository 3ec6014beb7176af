export { ArrivingLines, HELD_END, INDENT } from './arriving-lines.js'
export { MarkdownFlow, type Signs } from './markdown-flow.js'
export { markdownRows } from './markdown-rows.js'
