import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const MOST = 120

/** Whether one piece that cannot be broken fills most of a line: a regular expression, or a line of a longer text. */
function isUnbreakable(node: ts.Node, from: number, to: number): boolean {
  const isPiece = ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node)
  if (isPiece && Math.min(node.end, to) - Math.max(node.getStart(), from) > MOST / 2) return true
  return ts.forEachChild(node, (child) => child.pos < to && child.end > from && isUnbreakable(child, from, to)) === true
}

function longLines(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  let source: ts.SourceFile | undefined
  let end = -1
  return text.split('\n').flatMap((line, index) => {
    const start = end + 1
    end = start + line.length
    if ([...line].length <= MOST || /https?:\/\/\S{60}/.test(line)) return []
    source ??= ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    return isUnbreakable(source, start, end) ? [] : [`${file}:${index + 1}`]
  })
}

describe('sources', () => {
  it(`have no line over ${MOST} columns`, () => {
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', 'proj', 'bench']
    const sources = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\n').filter((file) =>
      /^(?:proj\/(?:comp\/[^/]+\/)?(?:src|scripts|trials)|bench)\/.*\.(?:tsx?|mjs)$/.test(file)
        && existsSync(join(root, file)))
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.flatMap(longLines)).toEqual([])
  })
})
