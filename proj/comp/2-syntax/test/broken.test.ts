import { describe, expect, it } from 'vitest'
import { loneBracket, whatBroke } from '../src/index.js'

const NOTHING = { parseErrors: [], dropped: [] }

describe('whatBroke', () => {
  it('tells a place that cannot be parsed any more, with its line', async () => {
    const before = 'export function f() {\n  return 1\n}\n'
    expect((await whatBroke('typescript', before, before.replace('return 1', 'return (1'))).parseErrors)
      .toEqual([{ line: 2, text: 'return (1' }])
    expect((await whatBroke('typescript', before, before.replace('}\n', ''))).parseErrors)
      .toEqual([{ line: 2, text: 'return 1', missing: '}' }])
    expect((await whatBroke('python', 'x = 1\n', 'x = 1\ny = )\n')).parseErrors).toEqual([{ line: 2, text: 'y = )' }])
  })

  it('tells nothing of what was broken before in the same way, wherever it stands now', async () => {
    const before = 'const a = (\n\nfunction f() {}\n'
    expect(await whatBroke('javascript', before, `const b = 1\n${before}`)).toEqual(NOTHING)
    expect(await whatBroke('javascript', before, before)).toEqual(NOTHING)
  })

  it('tells the parse errors of a new text', async () => {
    expect((await whatBroke('go', undefined, 'package a\n\nfunc f( {\n')).parseErrors).not.toEqual([])
    expect(await whatBroke('go', undefined, 'package a\n\nfunc f() {\n}\n')).toEqual(NOTHING)
  })

  it('tells decorators, export, async and doc comments that are gone', async () => {
    const before = [
      '/** Serves. */', '@Injectable()', 'export class Server {', '  @log()', '  async listen() {}', '}', '',
      'export const f = async () => 1', '',
    ].join('\n')
    const after = 'class Server {\n  listen() {}\n}\n\nconst f = () => 1\n'
    expect(await whatBroke('typescript', before, after)).toEqual({
      parseErrors: [],
      dropped: [
        { name: 'Server', line: 1, marks: ['@Injectable', 'export', 'its doc comment'] },
        { name: 'Server.listen', line: 2, marks: ['@log', 'async'] },
        { name: 'f', line: 5, marks: ['export', 'async'] },
      ],
    })
  })

  it.each([
    ['python', '@cache\ndef f(a):\n    """Doc."""\n    return a\n', 'def f(a):\n    return a\n',
      ['@cache', 'its doc comment']],
    ['rust', '/// Doc.\n#[inline]\npub fn f() {}\n', 'fn f() {}\n', ['#[inline]', 'pub', 'its doc comment']],
    ['java', 'class A {\n  /** Doc. */\n  @Override\n  void f() {}\n}\n', 'class A {\n  void f() {}\n}\n',
      ['@Override', 'its doc comment']],
    ['go', 'package a\n\n// F is.\nfunc F() {}\n', 'package a\n\nfunc F() {}\n', ['its doc comment']],
    ['csharp', 'class A {\n  /// Doc.\n  [Test]\n  void F() {}\n}\n', 'class A {\n  void F() {}\n}\n',
      ['[Test]', 'its doc comment']],
  ] as const)('of %s', async (language, before, after, marks) => {
    const { dropped } = await whatBroke(language, before, after)
    expect(dropped.map((each) => each.marks)).toEqual([marks])
  })

  it('tells nothing of declarations that are gone, or of which there are more now', async () => {
    expect(await whatBroke('typescript', 'export const a = 1\nexport const b = 2\n', 'export const b = 2\n'))
      .toEqual(NOTHING)
    expect(await whatBroke('python', '@a\ndef f(): pass\n', 'def f(): pass\ndef f(): pass\n')).toEqual(NOTHING)
  })
})

describe('loneBracket', () => {
  it('finds a bracket that is never closed, and one that nothing opens', async () => {
    expect(await loneBracket('typescript', 'f() {\n  if (a) {\n    b()\n  }\n')).toEqual({ bracket: '{', line: 1 })
    expect(await loneBracket('java', 'int f() {\n  return 1;\n}\n}\n')).toEqual({ bracket: '}', line: 4 })
  })

  it('takes none for one in strings, comments, regular expressions and templates', async () => {
    const text = 'f() {\n  // {\n  const a = "(" + /[(]/.source + `${"{"} {`\n  return a\n}\n'
    expect(await loneBracket('typescript', text)).toBeUndefined()
    expect(await loneBracket('ruby', 'def f\n  "#{a} {"\nend\n')).toBeUndefined()
    expect(await loneBracket('csharp', 'string F() {\n  return $"{a} {{";\n}\n')).toBeUndefined()
    expect(await loneBracket('php', '#[A(1)]\nfunction f() { return "{$a}"; }\n')).toBeUndefined()
    expect(await loneBracket('rust', "#[inline]\nfn f<'a>(x: &'a str) -> char { '{' }\n")).toBeUndefined()
  })
})
