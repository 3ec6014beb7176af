import fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { HermesError } from '../../../0-contracts/src/index.js'
import { compilePattern } from '../../src/walk/name-pattern.js'

const compile = (pattern: string, dot = false) => compilePattern('glob', 'pattern', pattern, { dot })

describe('compilePattern', () => {
  it.each([
    ['*.ts', ['a.ts', '\u{1f600}.ts'], ['a.tsx', 'x/a.ts', '.ts']],
    ['?.ts', ['a.ts', '\u{1f600}.ts'], ['ab.ts', '..ts']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
    ['[!a-c]x', ['dx'], ['ax', '.x']],
    ['[]a]x', [']x', 'ax'], ['bx']],
    ['\\[ax', ['[ax'], ['ax']],
    ['[[]ax', ['[ax'], ['ax']],
    ['\\[z-a]', ['[z-a]'], ['z']],
    ['\\*x', ['*x'], ['ax']],
    ['a (1).txt', ['a (1).txt'], ['a 1.txt']],
    ['**/*.ts', ['a.ts', 'x/a.ts', 'x/y/a.ts'], ['.x/a.ts', 'a.ts/b']],
    ['**', ['a', 'a/b'], ['.a', 'a/.b']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a']],
    ['.*/**', ['.x/a', '.x/y/a'], ['x/a', '.x/.a']],
    ['{src,test/{a,b}}/*.{ts,js}', ['src/x.ts', 'test/b/x.js'], ['test/x.ts', 'src/x.c']],
    ['{a}{,x}', ['{a}', '{a}x'], ['a']],
    ['./a/*', ['a/b'], ['b']],
    ['!*.ts', ['a.js', '.a', 'x/a.ts'], ['a.ts']],
  ])('%s', (pattern, yes, no) => {
    const { matches } = compile(pattern)
    expect(yes.filter((path) => !matches(path))).toEqual([])
    expect(no.filter(matches)).toEqual([])
  })

  it('means what picomatch makes of it', () => {
    const piece = fc.constantFrom('a', 'b', '.a', '*', '?', '[ab]', 'a[^a]', '{a,b}')
    const name = fc.array(piece, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('').replace(/\*{2,}/g, '*'))
    const names = fc.array(fc.oneof(name, fc.constant('**')), { maxLength: 3 })
    const pattern = fc.tuple(names, name).map(([before, last]) => [...before, last].join('/'))
    const path = fc.array(fc.stringMatching(/^[.]?[ab]{1,3}$/), { minLength: 1, maxLength: 4 }).map((n) => n.join('/'))
    fc.assert(fc.property(pattern, path, fc.boolean(), (written, tried, dot) => {
      const expected = picomatch(written, { dot, noextglob: true })(tried)
      expect(compile(written, dot).matches(tried)).toBe(expected)
    }), { numRuns: 5000 })
  })

  it('enters every directory that a match lies below', () => {
    const part = fc.constantFrom('a', '*', '**', '{a,b/c}', '[ab]', '.a')
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((n) => n.join('/'))
    const path = fc.array(fc.constantFrom('a', 'b', 'c', '.a'), { minLength: 2, maxLength: 5 })
    fc.assert(fc.property(pattern, path, (written, names) => {
      const { matches, mayMatchBelow } = compile(written)
      if (!matches(names.join('/'))) return
      for (let depth = 1; depth < names.length; depth++) {
        expect(mayMatchBelow(names.slice(0, depth).join('/'))).toBe(true)
      }
    }), { numRuns: 2000 })
  })

  it.each([
    ['many stars', '*a*a*a*a*a*a*a*b', 'a'.repeat(255)],
    ['stars in many names', `${'*a*a*/'.repeat(50)}b`, `${'a'.repeat(80)}/`.repeat(50) + 'a'],
    ['many double stars', `${'**/a/'.repeat(100)}b`, 'a/'.repeat(2000) + 'c'],
    ['many classes and stars', '*[a-z]'.repeat(100) + '1', 'a'.repeat(255)],
    ['alternatives', '{a,aa}'.repeat(8) + 'b', 'a'.repeat(255)],
  ])('answers without trying all ways: %s', (_name, pattern, path) => {
    expect(compile(pattern).matches(path)).toBe(false)
  })

  it.each([
    ['nested extended patterns', '{+(a),+(aa)}+(+(a)+(a))z', 'glob: pattern holds an extended pattern such as +(a)'],
    ['a negated extended pattern', '!(a)', 'glob: pattern holds an extended pattern such as +(a)'],
    ['too many alternatives', '{a,aa}'.repeat(30), 'glob: pattern has too many alternatives in braces'],
    ['too many empty alternatives', '{,}'.repeat(80), 'glob: pattern has too many alternatives in braces'],
    ['a range in braces', 'a{1..100000}', 'glob: pattern holds a range in braces'],
    ['a range of characters backwards', 'x/[z-a]*', 'glob: pattern holds the range [z-a], which runs backwards'],
    ['a name in brackets', '{a,app/[user-id]}/x', 'glob: pattern holds the range [r-i], which runs backwards'],
    ['brackets that are not closed', 'src/[abc', 'glob: pattern holds a [ without a ]'],
    ['brackets that no name can close', '[a/b]', 'glob: pattern holds a [ without a ]'],
    ['a long pattern', 'a'.repeat(1001), 'glob: pattern is longer than 1,000 characters'],
  ])('refuses %s', (_name, pattern, message) => {
    let error: unknown
    try {
      compile(pattern)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(HermesError)
    expect(error).toMatchObject({ code: 'INVALID_PARAMETER', message, hint: expect.any(String) as string })
  })
})
