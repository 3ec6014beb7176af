export { ArrivingLines, HELD_END, INDENT } from './arriving-lines.js'
export { MarkdownFlow, type Signs, markdownRows } from './markdown-flow.js'
