import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/** A piece of a line and the kind of thing it is, e.g. `keyword`. */
export interface Token {
  text: string
  scope?: string
}

/** More than this, or a longer line, is shown plain: nobody waits for colours. In UTF-16 units. */
const MOST = 60_000
const LONGEST_LINE = 4000

const LANGUAGES = {
  bash, c, cpp, csharp, css, diff, go, ini, java, javascript, json, makefile, markdown, php, python, ruby, rust, sql,
  typescript, xml, yaml,
}

/** Takes what the grammars find as tokens; the highlighter's own makes HTML of it. */
class Collector {
  tokens: Token[] = []
  readonly #scopes: string[] = []

  addText(text: string): void {
    const scope = this.#scopes.at(-1)
    if (text !== '') this.tokens.push({ text, ...(scope !== undefined && { scope }) })
  }

  startScope(scope: string): void {
    this.#scopes.push(scope.replace(/\..*/, ''))
  }

  endScope(): void {
    this.#scopes.pop()
  }

  openNode(scope: string): void {
    this.startScope(scope)
  }

  closeNode(): void {
    this.endScope()
  }

  __addSublanguage({ tokens }: Collector): void {
    this.tokens.push(...tokens)
  }

  finalize(): void {
    this.#scopes.length = 0
  }

  toHTML(): string {
    return ''
  }
}

let isReady = false

function prepare(): void {
  if (isReady) return
  isReady = true
  for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)
  highlighter.configure({ __emitter: Collector } as unknown as Parameters<typeof highlighter.configure>[0])
}

/**
 * The same for parts of a text that are drawn one by one: what began before a part goes on in it. A text that is too
 * long to be coloured as a whole is read from as far above each part as may be.
 */
export function partsInColour(
  lines: readonly string[], language: string | undefined,
): (from: number, to: number) => Token[][] {
  const isShort = lengthOf(lines) <= MOST && !lines.some(isTooLong)
  let whole: Token[][] | undefined
  return (from, to) => {
    if (isShort) {
      whole ??= highlightLines(lines, language)
      return whole.slice(from, to)
    }
    let start = from
    let room = MOST - lengthOf(lines.slice(from, to))
    let above = lines[start - 1]
    while (above !== undefined && !isTooLong(above) && above.length < room) {
      room -= above.length + 1
      start--
      above = lines[start - 1]
    }
    return highlightLines(lines.slice(start, to), language).slice(from - start)
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function isTooLong(line: string): boolean {
  return line.length > LONGEST_LINE
}

/** Lines with what a grammar says of their pieces; plain where there is no grammar, or they are too long for it. */
export function highlightLines(lines: readonly string[], language: string | undefined): Token[][] {
  if (language === undefined || lengthOf(lines) > MOST || lines.some(isTooLong)) {
    return lines.map((text) => [{ text }])
  }
  prepare()
  const result = highlighter.highlight(lines.join('\n'), { language, ignoreIllegals: true })
  const { tokens } = result._emitter as unknown as Collector
  const split: Token[][] = [[]]
  for (const { text, scope } of tokens) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) split.push([])
      if (piece !== '') split.at(-1)?.push({ text: piece, ...(scope !== undefined && { scope }) })
    }
  }
  return split
}
