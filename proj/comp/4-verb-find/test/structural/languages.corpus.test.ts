import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { editableLanguageOf, GRAMMAR_IDS, type ParsedId, StructuralMatcher } from '../../../2-syntax/src/index.js'
import { rewriteFile } from '../../src/structural/rewrite-file.js'
import { RewriteTemplate } from '../../src/structural/rewrite-template.js'
import { readQuery } from '../../src/structural/structural-query.js'
import { astGrepProgram, matchesOfAstGrep, runAstGrep } from './ast-grep-cli.js'

interface LanguageCases {
  language: ParsedId
  file: string
  source: string
  cases: { pattern: string; matches: string[]; rewrite: string; after: string }[]
}

/** What ast-grep's own program found and wrote. */
const LANGUAGES = JSON.parse(
  readFileSync(new URL('../../test-data/structural/languages.cases.json', import.meta.url), 'utf8'),
) as LanguageCases[]
const program = astGrepProgram()
/** Each case starts a thread. */
const some = <Case>(cases: readonly Case[]): readonly Case[] => (isCampaign ? cases : cases.slice(0, 1))

it('has cases of every language', () => {
  expect(LANGUAGES.map(({ language }) => language).sort()).toEqual([...GRAMMAR_IDS].sort())
})

describe.each(LANGUAGES)('$language', ({ language, file, source, cases }) => {
  it.each(some(cases))('$pattern', async ({ pattern, matches, rewrite, after }) => {
    await searching(pattern, async (matcher) => {
      const found = await matcher.matches(language, source, 100)
      expect(found.matches.map(({ span }) => source.slice(...span))).toEqual(matches)
      const whole = { path: file as ApprovedPath, shown: file, language, content: source, matches: found.matches }
      const isBroken = found.hasError
      expect(rewriteFile({ ...whole, isBroken }, new RewriteTemplate(rewrite))!.content).toBe(after)
    })
  })

  it.skipIf(program === undefined).each(some(cases))('ast-grep: $pattern', ({ pattern, matches, rewrite, after }) => {
    const root = tempDir()
    writeFileSync(join(root, file), source)
    expect(matchesOfAstGrep(program!, ['-p', pattern, file], root).map(({ text }) => text)).toEqual(matches)
    runAstGrep(program!, ['run', '-p', pattern, '-r', rewrite, '-U', file], root)
    expect(readFileSync(join(root, file), 'utf8')).toBe(after)
  })
})

const PATTERNS: readonly (readonly [pattern: string, rewrite: string])[] = [
  ['$F($$$A)', '$F(\n  $$$A,\n)'], ['function $F($$$P): $R { $$$B }', 'const $F = ($$$P): $R => {\n  $$$B\n}'],
  ['import { $$$A } from $B', 'use($B, [$$$A])'], ['$A ? $B : $C', 'if $A\n  then $B\n  else $C'],
  ['const $A = $B', 'let $A = $B'], ['$A.map(($X) => $B)', 'M($A,\n $X,\n   $B)'], ['{ $$$A }', '[$$$A]'],
  ['class $A { $$$B }', 'struct $A\n    $$$B'], ['$A ?? $B', '($A) ||\n  ($B)'],
  ['if ($A) return $B', 'if ($A) {\n  return $B\n}'], ['return', 'x'],
]
const sources = fileURLToPath(new URL('../../../1-edits/src/', import.meta.url))

/** Files that the grammar here does not take for code are left out: ast-grep's program has another one. */
it.skipIf(program === undefined).each(some(PATTERNS))('the sources of edits: %j to %j', async (pattern, rewrite) => {
  const template = new RewriteTemplate(rewrite)
  const ours: string[] = []
  const unread = new Set<string>()
  const contents = new Map(readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts')).map((name) => [name, readFileSync(join(sources, name))] as const))
  await searching(pattern, async (matcher) => {
    for (const [file, bytes] of contents) {
      const content = bytes.toString()
      const { matches, hasError } = await matcher.matches(editableLanguageOf(file)!, content, Infinity)
      if (hasError) unread.add(file)
      else for (const match of matches) ours.push(JSON.stringify([file, ...match.span, template.fill(content, match)]))
    }
  })
  const theirs = matchesOfAstGrep(program!, ['-p', pattern, '-r', rewrite, '.'], sources)
    .filter(({ file }) => !unread.has(file)).map(({ file, range: { byteOffset: { start, end } }, replacement }) => {
      const unitsTo = (byte: number): number => contents.get(file)!.subarray(0, byte).toString().length
      return JSON.stringify([file, unitsTo(start), unitsTo(end), replacement])
    })
  expect(unread.size).toBeLessThan(2)
  expect(theirs.length).toBeGreaterThan(0)
  expect(ours.sort()).toEqual(theirs.sort())
})

async function searching(pattern: string, use: (matcher: StructuralMatcher) => Promise<void>): Promise<void> {
  const matcher = new StructuralMatcher(readQuery('test', { pattern }), new AbortController().signal)
  try {
    await use(matcher)
  } finally {
    await matcher[Symbol.asyncDispose]()
  }
}
