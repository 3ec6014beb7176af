/** A section of Markdown: a heading with all up to the next one of its level or above. */
export interface Section {
  /** As it reads: without marks. */
  heading: string
  /** By which links name it on GitHub and elsewhere: `getting-started`, the second of that name `getting-started-1`. */
  slug: string
  /** 1 to 6. */
  level: number
  /** From 1, both included. */
  firstLine: number
  lastLine: number
}

/** By the name of the file. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

const ATX = /^ {0,3}(?<marks>#{1,6})(?=[ \t]|$)/
/** Headings are short: what is longer is cut, in characters. */
const MOST_HEADING = 300
const FENCE = /^ {0,3}(?<fence>`{3,}(?=[^`]*$)|~{3,})/
const UNDERLINE = /^ {0,3}(?<mark>=+|-+)[ \t]*$/
/** What a line of text, which an underline makes a heading, does not begin with. */
const NO_TEXT = /^(?:\s*$| {0,3}(?:[>|]|#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t])| {4}|\t)/

/** The sections of a Markdown text in order; headings in fences, and in the front matter, are none. */
export function sectionsOf(lines: readonly string[]): Section[] {
  const found: Omit<Section, 'lastLine' | 'slug'>[] = []
  let fence: string | undefined
  for (let at = endOfFrontMatter(lines); at < lines.length; at++) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)?.groups?.['fence']
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    } else if (mark !== undefined) fence = mark
    else {
      const heading = atxHeading(line, at) ?? underlined(lines, at)
      if (heading) found.push(heading)
    }
  }
  const slugs = new Map<string, number>()
  const ends = endsOf(found, lines.length)
  return found.map((section, index) => ({
    ...section, slug: uniqueSlug(section.heading, slugs), lastLine: ends[index] ?? lines.length,
  }))
}

/** A section goes on to the next heading of its level or above. */
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
  const [found, marks] = ATX.exec(line) ?? []
  if (found === undefined || marks === undefined) return undefined
  return { heading: plainText(withoutClosing(line.slice(found.length))), level: marks.length, firstLine: at + 1 }
}

/** `## Install ##`. */
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

/** Links by their text, without what marks code, emphasis and tags. */
function plainText(text: string): string {
  return text.slice(0, MOST_HEADING).replaceAll(LINK, '$1').replaceAll(/<[^<>]*>|[*`]/g, '').trim()
}

function uniqueSlug(heading: string, used: Map<string, number>): string {
  const slug = slugOf(heading)
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

/** As GitHub makes it: lower case, blanks as hyphens, no other signs than these and underscores. */
export function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
}
