import type { GrammarId, PageId } from './language-id.js'

/** The scripts of a page in their original places; the rest is replaced by spaces. */
export interface PageScripts {
  language: GrammarId
  /** As long as the page, with the same lines. */
  code: string
}

/** Script types that are code; JSON, templates and shaders are not. */
const SCRIPT_TYPE = /^(?:module|(?:text|application)\/(?:javascript|ecmascript|typescript|babel))?$/

/** The scripts of a Vue, Svelte or Astro file; `undefined` where there are none. */
export function pageScripts(language: PageId, page: string): PageScripts | undefined {
  const kept: { from: number; to: number; lang: string }[] = []
  const front = language === 'astro' ? /^\s*---[^\S\n]*\r?\n/.exec(page) : null
  let at = 0
  if (front) {
    const end = page.slice(front[0].length).search(/^---[^\S\n]*\r?$/m)
    const to = end === -1 ? page.length : front[0].length + end
    kept.push({ from: front[0].length, to, lang: 'ts' })
    at = to
  }
  for (let opener = nextOpener(page, at); opener; opener = nextOpener(page, at)) {
    const close = /<\/script\s*>/gi
    close.lastIndex = opener.end
    const to = close.exec(page)?.index ?? page.length
    if (SCRIPT_TYPE.test(attribute(opener.attributes, 'type') ?? '')) {
      kept.push({ from: opener.end, to, lang: attribute(opener.attributes, 'lang') ?? (front ? 'ts' : 'js') })
    }
    at = to
  }
  if (kept.length === 0) return undefined
  let code = ''
  let end = 0
  for (const { from, to } of kept) {
    code += blank(page.slice(end, from)) + page.slice(from, to)
    end = to
  }
  return { language: grammarOf(kept.map(({ lang }) => lang.toLowerCase())), code: code + blank(page.slice(end)) }
}

function nextOpener(page: string, from: number): { end: number; attributes: string } | undefined {
  const tag = /<!--|<script\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi
  tag.lastIndex = from
  for (let match = tag.exec(page); match; match = tag.exec(page)) {
    if (match[0] !== '<!--') return { end: tag.lastIndex, attributes: match[1] ?? '' }
    const end = page.indexOf('-->', tag.lastIndex)
    if (end === -1) return undefined
    tag.lastIndex = end
  }
  return undefined
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  return match ? match[1] ?? match[2] ?? match[3] : undefined
}

/** One grammar for all scripts of a page: TypeScript's also parses JavaScript. */
function grammarOf(langs: readonly string[]): GrammarId {
  if (langs.includes('tsx')) return 'tsx'
  return langs.some((lang) => lang === 'ts' || lang === 'typescript') ? 'typescript' : 'javascript'
}

/** Replaces all characters but line breaks by spaces. */
export function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ')
}
