import { describe, expect, it } from 'vitest'
import { alreadyApplied, checkInserted, findElision, lostLines } from '../../src/engine/index.js'

describe('findElision', () => {
  it.each([
    '// ... rest of code', '  // ... existing code ...', '# unchanged', '<!-- \u2026 -->', '<!-- ... -->', '/* ... */',
    '{/* ... rest of the component ... */}', '// rest of the file remains the same', '# ... (rest of the function)',
    '// Rest of the code stays the same', '-- ... other columns', '// ...', '# existing code here', '// no changes here',
    '... rest of the file ...', '[rest of the file unchanged]', '// remaining methods unchanged ...', '// ...more imports',
    '// (other constants stay the same)', '// keep the rest as is', '# all other methods remain unchanged', '// previous code here',
    '// Leave everything else untouched', '; ... rest of the section', '(* ... *)', '% rest of the document unchanged',
  ])('sees %s', (line) => {
    expect(findElision(`a\n${line}\nb\n`, 'a\nc\nb\n')).toEqual({ line: 1, text: line.trim() })
  })

  it.each([
    '...', '    ...', '...rest,', '...existing,', 'f(...args)', '"..."', 'def f(): ...', '## Unchanged', '// Other methods',
    '// Loading ...', '# The rest is history', '// Wait for the rest', 'print("... rest of code")', '"""..."""',
    '// the other way is the one they are in', '# other cases are handled above', '// keep the rest of the list sorted',
    '// returns the remaining time', '# existing users', '// We keep going', '--verbose', '#!/bin/sh', '# Tests',
    'a // ... rest of code', '// unchanged files are skipped', '# Same as above, but for lists', '/* rest parameters */',
  ])('lets pass %s', (line) => {
    expect(findElision(`a\n${line}\nb\n`, 'a\nc\nb\n')).toBeUndefined()
  })

  it('lets pass what the old text has', () => {
    expect(findElision('// ... rest of code\n', 'x\n    // ... rest of code\n')).toBeUndefined()
    expect(findElision('// ... rest of code\n', 'x // ... rest of code\n')).toBeDefined()
  })

  it('is linear in long lines', () => {
    expect(findElision(`//${' '.repeat(1_000_000)}x\n`.repeat(3), '')).toBeUndefined()
  })
})

describe('checkInserted', () => {
  const insertion = { verb: 'v', parameter: 'content', path: 'a.ts', content: 'a\nb\nc\n', removed: 'a\nb\nc\n', inserted: '' }

  it.each([
    ['an elision that drops nothing', { inserted: 'a\nb\nc\n// ... more lines\n' }],
    ['numbers that are new text', { inserted: '1: x\n2: y\n' }],
    ['numbers that do not follow each other', { inserted: '1: a\n3: b\n' }],
    ['one number', { inserted: '1: a\n' }],
    ['numbers that were there', { content: '1: a\n2: b\n', removed: '1: a\n2: b\n', inserted: '2: a\n3: b\n' }],
    ['a fence of a page', { path: 'a.md', inserted: '```\na\n```\n' }],
    ['fences within', { inserted: 'x\n```\na\n```\n' }],
    ['two fences', { inserted: '```\na\n```\n```\nb\n```\n' }],
    ['dots as the body of a stub', { path: 'a.py', inserted: 'def f():\n    ...\n\ndef g():\n    ...\n' }],
    ['dots as the last parameter', { path: 'a.c', inserted: 'f(\n  int a,\n  ...\n)\n' }],
    ['dots of a page', { path: 'a.md', inserted: 'a\n...\nc\n' }],
    ['a fence that does not close', { inserted: '```\na\n' }],
  ])('lets pass %s', (_name, changes) => {
    expect(() => checkInserted({ ...insertion, ...changes })).not.toThrow()
  })

  it.each([
    ['an elision', { inserted: 'a\n// ... rest\n' }, 'ELIDED_CONTENT'],
    ['dots', { inserted: 'a\n...\nc\n' }, 'ELIDED_CONTENT'],
    ['dots between lines of Python', { path: 'a.py', inserted: 'a\n  ...\n  c\n' }, 'ELIDED_CONTENT'],
    ['numbers', { inserted: '1: a\n2: b\n' }, 'INVALID_PARAMETER'],
    ['numbers with bars', { inserted: ' 9| a\n10| b\n\n12| c\n' }, 'INVALID_PARAMETER'],
    ['numbers with tabs', { inserted: '     1\ta\n     2\tb\n' }, 'INVALID_PARAMETER'],
    ['a fence', { inserted: '```ts\na\n```\n' }, 'INVALID_PARAMETER'],
    ['a fence of tildes', { inserted: '\n~~~\na\n~~~' }, 'INVALID_PARAMETER'],
  ])('refuses %s', (_name, changes, code) => {
    expect(() => checkInserted({ ...insertion, ...changes })).toThrow(expect.objectContaining({ code }))
  })
})

describe('alreadyApplied', () => {
  it.each([
    ['with a line kept that stands only there', 'f {\n  2\n}\n', 'f {\n  1\n}', 'f {\n  2\n}', true],
    ['all there is', '2\n', '1', '2', true],
    ['with a line kept that stands elsewhere too', 'f\n2\nx\nf\n', 'f\n1', 'f\n2', false],
    ['with nothing kept', 'a\n2\nb\n', '1', '2', false],
    ['with a bracket kept only', 'a\n2\n}\n', '1\n}', '2\n}', false],
    ['twice', 'f\n2\nf\n2\n', 'f\n1', 'f\n2', false],
    ['in part', 'f\n2\n', 'f\n1\n', 'f\n2\n3\n', false],
    ['a deletion', 'a\n', 'b', '', false],
    ['lines removed between kept ones', 'f {\n  b\n}\n', 'f {\n  a\n  b\n}', 'f {\n  b\n}', true],
    ['lines removed at the end, where others stand', 'f {\n  log\n  go\n', 'f {\n  go\n  stop', 'f {\n', false],
    ['with the last line to be removed still there', 'f {\n  c\n  b\n', 'f {\n  a\n  b', 'f {\n  c', false],
    ['with the first line to be removed still there', '\n  a\n\n  c\n  f {\n', '  a\n  b\n  f {', '  c\n  f {', false],
  ])('%s', (_name, text, searched, replaced, expected) => {
    expect(alreadyApplied(text, searched, replaced, 'tolerant') !== undefined).toBe(expected)
  })
})

describe('lostLines', () => {
  const old = 'a\n\n'.repeat(30)
  it.each([
    ['more than half', old, 'a\n'.repeat(14), { before: 30, after: 14 }],
    ['half', old, 'a\n'.repeat(15), undefined],
    ['of a short file', 'a\n'.repeat(19), '', undefined],
    ['nothing but blank lines', old, 'a\n'.repeat(30), undefined],
  ])('%s', (_name, before, after, expected) => {
    expect(lostLines(before, after, 0.5)).toEqual(expected)
  })
})
