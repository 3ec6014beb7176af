import { wrapWords } from '../../../0-text/src/index.js'
import { tableText } from './table-text.js'

/**
 * Inline Markdown in pages of `docs/`: code, a picture, a link, strong and emphasised words, an escaped character.
 *
 * `code` ![words](file) [words](target) **strong** *emphasised* \|
 */
const INLINE = new RegExp([
  /(?<code>(?<ticks>`+)(?!`).+?(?<!`)\k<ticks>(?!`))/, /!\[(?<picture>[^\]]*)\]\([^)]*\)/,
  /\[(?<words>(?:`[^`]*`|[^\]`])*)\]\((?<target>[^)]*)\)/, /\*\*(?<strong>.+?)\*\*/,
  /(?<![\w*])\*(?<emphasised>[^\s*][^*]*)\*/, /\\(?<sign>[!-/:-@[-`{-~])/,
].map(({ source }) => source).join('|'), 'g')

const FENCE = /^( *)(`{3,}|~{3,})/
const HEADING = /^(#{1,6}) (.*)$/
const ITEM = /^( *)([-*+]|\d+\.) +(.*)$/
const HTML_PICTURE = /^<img .*alt="([^"]*)"/
const CODE_INDENT = '    '

/**
 * Renders Markdown of pages in `docs/` as plain text: prose and tables wrapped at `width` columns, code unchanged,
 * links by their words only.
 */
export function renderMarkdown(markdown: string, width: number): string {
  const lines = linesOf(markdown)
  const rendered: string[] = []
  for (let at = 0; at < lines.length;) {
    const end = blockEnd(lines, at)
    // A removed comment leaves blank lines: keep one between blocks.
    if (lines[at] !== '' || rendered.at(-1) !== '') rendered.push(...renderBlock(lines.slice(at, end), width))
    at = end
  }
  return `${rendered.join('\n').trim()}\n`
}

/**
 * The page as Markdown without comments, with each paragraph on one line, and links and pictures by their words only.
 */
export function linkless(markdown: string): string {
  const lines = linesOf(markdown)
  const written: string[] = []
  for (let at = 0; at < lines.length;) {
    const end = blockEnd(lines, at)
    const block = lines.slice(at, end)
    const [first = ''] = block
    if (FENCE.test(first)) written.push(...block)
    else if (first.startsWith('|')) written.push(...block.map(withoutLinks))
    else written.push(outerOf(first) + withoutLinks(block.map((line) => line.trim()).join(' ')))
    at = end
  }
  return written.join('\n')
}

function linesOf(markdown: string): string[] {
  return markdown.replaceAll(/^<!--[^]*?-->\n/gm, '').split('\n')
}

/** Index after the block that begins at a line: a fence, a table, a heading, a list item, or a paragraph. */
function blockEnd(lines: readonly string[], at: number): number {
  const [, , fence] = FENCE.exec(lines[at] ?? '') ?? []
  if (fence !== undefined) {
    const close = lines.findIndex((line, index) => index > at && line.trim() === fence)
    return close < 0 ? lines.length : close + 1
  }
  const isTable = lines[at]?.startsWith('|') === true
  let end = at + 1
  while (end < lines.length && lines[at] !== '' && !HEADING.test(lines[at] ?? '')) {
    const line = lines[end] ?? ''
    if (line === '' || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || line.startsWith('|') !== isTable) {
      break
    }
    end += 1
  }
  return end
}

function renderBlock(block: readonly string[], width: number): string[] {
  const [first = ''] = block
  if (FENCE.test(first)) return block.slice(1, -1).map((line) => `${line === '' ? '' : CODE_INDENT}${line}`)
  const [, marks = '', heading = ''] = HEADING.exec(first) ?? []
  if (marks !== '') return headingLines(marks.length, plainText(heading))
  if (first.startsWith('|')) return tableText(rowsOf(block), width)
  const text = block.map((line) => line.trim()).join(' ')
  const [, outer = '', mark = '', words = ''] = ITEM.exec(`${outerOf(first)}${text}`) ?? []
  const lead = mark === '' ? outerOf(first) : `${outer}${mark} `
  const prose = plainText(mark === '' ? text : words)
  return [lead + wrapWords(prose, lead.length, width)]
}

function outerOf(line: string): string {
  return ' '.repeat(line.length - line.trimStart().length)
}

function headingLines(level: number, text: string): string[] {
  if (level > 2) return [`${'#'.repeat(level)} ${text}`]
  return [text, (level === 1 ? '=' : '-').repeat(text.length)]
}

/** Cells of a table, without the row of dashes. */
function rowsOf(lines: readonly string[]): string[][] {
  return lines.filter((_, index) => index !== 1).map((line) => (
    line.trim().replaceAll(/^\||\|$/g, '').split(/(?<!\\)\|/)
      .map((cell) => plainText(cell.trim().replaceAll(String.raw`\|`, '|')))
  ))
}

/** Removes links, leaving everything else as written. */
function withoutLinks(text: string): string {
  const [, alternative] = HTML_PICTURE.exec(text) ?? []
  if (alternative !== undefined) return pictureText(alternative)
  return text.replaceAll(INLINE, (...match) => {
    const { picture, words, target = '', strong } = match.at(-1) as Record<string, string | undefined>
    if (picture !== undefined) return pictureText(picture)
    if (words !== undefined) return linkText(withoutLinks(words), target)
    return strong === undefined ? String(match[0]) : `**${withoutLinks(strong)}**`
  })
}

/** Plain text; code keeps its backticks, to show where it ends. */
function plainText(text: string): string {
  const [, alternative] = HTML_PICTURE.exec(text) ?? []
  if (alternative !== undefined) return pictureText(alternative)
  return text.replaceAll(INLINE, (...match) => {
    const parts = match.at(-1) as Record<string, string | undefined>
    const { code, picture, words, target = '', strong, emphasised, sign } = parts
    if (picture !== undefined) return pictureText(picture)
    if (words !== undefined) return linkText(plainText(words), target)
    const inner = strong ?? emphasised
    return inner === undefined ? code ?? sign ?? '' : plainText(inner)
  })
}

function pictureText(alternative: string): string {
  return `[picture: ${alternative}]`
}

/** A link as text: a page by its topic, with the address only for targets outside the package. */
function linkText(words: string, target: string): string {
  if (/^https?:/.test(target) && target !== words) return `${words} (${target})`
  return /^[\w-]+\.md$/.test(words) ? `\`hermes help ${words.slice(0, -'.md'.length).toLowerCase()}\`` : words
}
