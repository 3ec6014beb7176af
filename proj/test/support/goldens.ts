import { readFileSync } from 'node:fs'
import { marked, type Token, type Tokens } from 'marked'

export interface GoldenCase {
  /** The level-3 heading. */
  name: string
  /** The level-2 heading above it. */
  group: string
  /** The fences below it, in order. */
  fences: { info: string; body: string }[]
}

/** Reads a markdown golden file: a case is a level-3 heading and the fences that follow it. */
export function readGoldens(path: string | URL): GoldenCase[] {
  const cases: GoldenCase[] = []
  let group = ''
  for (const token of marked.lexer(readFileSync(path, 'utf8'))) {
    if (isHeading(token) && token.depth === 2) group = token.text
    else if (isHeading(token) && token.depth === 3) cases.push({ name: token.text, group, fences: [] })
    else if (token.type === 'code') cases.at(-1)?.fences.push({ info: (token as Tokens.Code).lang ?? '', body: fenceBody(token) })
  }
  return cases
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** From the raw token: marked 18's `text` has one newline too many when the body ends in a blank line. */
function fenceBody(token: Token): string {
  const lines = token.raw.replace(/\n+$/, '').split('\n')
  return lines.slice(1, -1).join('\n')
}
