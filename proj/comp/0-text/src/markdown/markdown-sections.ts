/** A section of Markdown: a heading and all lines up to the next heading of the same or a higher level. */
export interface Section {
  /** The heading's text without Markdown marks. */
  heading: string
  /**
   * Anchor that links use, as GitHub makes it: `getting-started`; a second heading of that name has
   * `getting-started-1`.
   */
  slug: string
  /** 1 to 6. */
  level: number
  /** 1-based lines, inclusive. */
  firstLine: number
  lastLine: number
}

/** Whether the file's extension is one of Markdown. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

const ATX = /^ {0,3}(?<marks>#{1,6})(?=[ \t]|$)/
/** Longest heading that is kept, in characters; the rest is cut off. */
const MOST_HEADING = 300
const FENCE = /^ {0,3}(?<fence>`{3,}(?=[^`]*$)|~{3,})/
const UNDERLINE = /^ {0,3}(?<mark>=+|-+)[ \t]*$/
/** Starts of lines that are no paragraph text, so that an underline below does not make them a heading. */
const NO_TEXT = /^(?:\s*$| {0,3}(?:[>|]|#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t])| {4}|\t)/

/** The sections of a Markdown text in order; headings inside fences or front matter do not count. */
export function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Omit<Section, 'lastLine' | 'slug'>[] = []
  let fence: string | undefined
  for (let at = endOfFrontMatter(lines); at < lines.length; at++) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)?.groups?.['fence']
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    } else if (mark !== undefined) fence = mark
    else {
      const heading = atxHeading(line, at) ?? underlined(lines, at)
      if (heading) sections.push(heading)
    }
  }
  const slugs = new Map<string, number>()
  const ends = endsOf(sections, lines.length)
  return sections.map((section, index) => ({
    ...section, slug: uniqueSlug(section.heading, slugs), lastLine: ends[index] ?? lines.length,
  }))
}

/** The last line of each section: before the next heading of the same or a higher level. */
function endsOf(sections: readonly Pick<Section, 'level' | 'firstLine'>[], count: number): number[] {
  const ends: number[] = []
  const open: number[] = []
  sections.forEach(({ level, firstLine }, index) => {
    while (open.length > 0 && (sections[open.at(-1) ?? 0]?.level ?? 0) >= level) ends[open.pop() ?? 0] = firstLine - 1
    open.push(index)
  })
  for (const index of open) ends[index] = count
  return ends
}

function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && (line === '---' || line === '...'))
  return end < 0 ? 0 : end + 1
}

function atxHeading(line: string, at: number) {
  const [match, marks] = ATX.exec(line) ?? []
  if (match === undefined || marks === undefined) return undefined
  return { heading: plainText(withoutClosing(line.slice(match.length))), level: marks.length, firstLine: at + 1 }
}

/** Removes the closing marks of `## Install ##`. */
function withoutClosing(text: string): string {
  const trimmed = text.trim()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end) : trimmed
}

function underlined(lines: readonly string[], at: number) {
  const mark = UNDERLINE.exec(lines[at] ?? '')?.groups?.['mark']
  const text = lines[at - 1] ?? ''
  if (mark === undefined || at === 0 || NO_TEXT.test(text)) return undefined
  return { heading: plainText(text), level: mark.startsWith('=') ? 1 : 2, firstLine: at }
}

const LINK = /!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g

/** Replaces links by their text, and removes marks of code, emphasis and tags. */
function plainText(text: string): string {
  return text.slice(0, MOST_HEADING).replaceAll(LINK, '$1').replaceAll(/<[^<>]*>|[*`]/g, '').trim()
}

function uniqueSlug(heading: string, used: Map<string, number>): string {
  const slug = slugOf(heading)
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

/**
 * The anchor as GitHub makes it: lower case, spaces become hyphens, punctuation is dropped but for hyphens and
 * underscores.
 */
export function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
}
