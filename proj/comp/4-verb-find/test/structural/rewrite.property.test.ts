import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { StructuralMatcher } from '../../../2-syntax/src/index.js'
import { rewriteFile } from '../../src/structural/rewrite-file.js'
import { RewriteTemplate } from '../../src/structural/rewrite-template.js'
import { readQuery } from '../../src/structural/structural-query.js'

const matcher = new StructuralMatcher(readQuery('test', { pattern: 'old($A)' }), new AbortController().signal)
afterAll(() => matcher[Symbol.asyncDispose]())

const ending = fc.constantFrom('\n', '\r\n')
const indent = fc.constantFrom('', '  ', '    ', '\t')
const other = fc.constantFrom('keep()', "const 𝒳 = '😀 old(1)'", '// old(2) é', '', 'x = [', '1]')
const call = fc.constantFrom('old(1)', 'y = old(𝒳)', 'old(old(2)) // é', "f('😀', old([3]), old(4))", 'old({ a })')
const lines = fc.array(fc.tuple(indent, fc.oneof(other, call), ending), { minLength: 1, maxLength: 12 })

it('lines without a match keep their bytes, and the others their endings', async () => {
  const template = new RewriteTemplate('fresh($A)')
  await fc.assert(fc.asyncProperty(lines, fc.boolean(), fc.boolean(), async (parts, hasBom, isCut) => {
    const text = `${hasBom ? '\ufeff' : ''}${parts.map((part) => part.join('')).join('')}`
    const content = isCut ? text.replace(/\r?\n$/, '') : text
    const { matches, hasError } = await matcher.matches('typescript', content, 1000)
    const file = { path: 'a.ts' as ApprovedPath, shown: 'a.ts', language: 'typescript' as const, content, matches }
    const rewritten = rewriteFile({ ...file, isBroken: hasError }, template)!
    const [before, after] = [content.split('\n'), rewritten.content.split('\n')]
    expect(after.length).toBe(before.length)
    const touched = new Set(matches.map(({ span: [start] }) => content.slice(0, start).split('\n').length - 1))
    for (const [index, line] of before.entries()) {
      if (!touched.has(index)) expect(after[index]).toBe(line)
      else expect(after[index]!.endsWith('\r')).toBe(line.endsWith('\r'))
    }
    for (const { span } of matches) expect(content.slice(...span)).toMatch(/^old\([^]*\)$/)
    expect(rewritten.replacements + rewritten.nested).toBe(matches.length)
  }), { numRuns: 400 })
})

it('new lines end as those of the match do', async () => {
  const template = new RewriteTemplate('fresh(\n  $A,\n)')
  await fc.assert(fc.asyncProperty(ending, indent, fc.constantFrom('1', '[\n  2,\n]', "'😀'"), async (end, space, arg) => {
    const content = `first()${end === '\n' ? '\r\n' : '\n'}${space}old(${arg.replaceAll('\n', end)})${end}last()${end}`
    const { matches } = await matcher.matches('typescript', content, 10)
    const file = { path: 'a.ts' as ApprovedPath, shown: 'a.ts', language: 'typescript' as const, content, matches }
    const rewritten = rewriteFile({ ...file, isBroken: false }, template)!.content
    const [first = '', ...rest] = rewritten.split('\n')
    expect(`${first}\n`).toBe(content.slice(0, content.indexOf('\n') + 1))
    expect(rest.slice(0, -1).every((line) => line.endsWith('\r') === (end === '\r\n'))).toBe(true)
  }), { numRuns: 100 })
})
