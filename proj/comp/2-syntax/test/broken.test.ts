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

  it.each([
    ['typescript', '/**\n * Doc.\n */\nfunction f() {}\n', ' */\n', ' */\nconst a = 1\n', ['its doc comment']],
    ['rust', '#[derive(\n  A,\n)]\nstruct S {}\n', ')]\n', ')]\nconst A: u8 = 1;\n', ['#[derive]']],
    ['python', 'def f():\n    """Doc."""\n    return 1\n', 'def f():\n', 'def f():\n    a = 1\n', ['its doc comment']],
  ] as const)('tells what new lines part from a declaration: %s', async (language, before, line, parting, marks) => {
    const { dropped } = await whatBroke(language, before, before.replace(line, parting))
    expect(dropped.map((each) => each.marks)).toEqual([marks])
  })

  it.each(['python', 'typescript'] as const)('reads %s that is nested more deeply than calls can be', async (language) => {
    const text = `x = ${'['.repeat(8000)} 1 $ @ 2 ${']'.repeat(8000)}\n`
    expect((await whatBroke(language, 'x = 1\n', text)).parseErrors).toMatchObject([{ line: 1 }])
  })

  it('tells nothing of declarations that are gone, or of which there are more now', async () => {
    expect(await whatBroke('typescript', 'export const a = 1\nexport const b = 2\n', 'export const b = 2\n'))
      .toEqual(NOTHING)
    expect(await whatBroke('python', '@a\ndef f(): pass\n', 'def f(): pass\ndef f(): pass\n')).toEqual(NOTHING)
  })
})

describe('whatBroke, where nothing is broken', () => {
  const header = 'extern int plain(int a);\nPyAPI_FUNC(PyObject *) PyThing_New(\n    PyObject *arg);\n'
  const loop = 'int f(int a) {\n  return a;\n}\n'
  it.each([
    ['an edit of a line with a macro', 'c', header, header.replace('PyThing_New', 'PyThing_Make')],
    ['one more line with a macro that the file has', 'c', header, `${header}PyAPI_FUNC(int) PyThing_Check(PyObject *o);\n`],
    ['the first macro in the place of a loop', 'c', loop, loop.replace('return', 'list_for_each_entry(pos, head, member) {\n    x();\n  }\n  return')],
    ['the first macro before a declaration', 'c', loop, `static int __init g(int a __maybe_unused) { return 0; }\n${loop}`],
    ['an export by a list', 'typescript', 'export function a() {}\n', 'function a() {}\nexport { a }\n'],
    ['a default export of its own', 'tsx', 'export default function A() {}\n', 'function A() {}\nexport default A\n'],
    ['an export of CommonJS', 'javascript', 'export function a() {}\n', 'function a() {}\nmodule.exports = { a }\n'],
    ['overloads that change places', 'java', 'class A {\n  @Override\n  void m(int a) {}\n  void m(String a) {}\n}\n', 'class A {\n  void m(String a) {}\n  @Override\n  void m(int a) {}\n}\n'],
    ['a docstring in other quotes', 'python', 'def f():\n    """Doc."""\n    return 1\n', 'def f():\n    "Doc."\n    return 1\n'],
    ['a colon at the end of a line before a docstring', 'python', 'def f(\n    a,\n):\n    """Doc."""\n', 'def f(\n    a,  # note:\n):\n    """Doc."""\n'],
    ['an at sign in a text', 'python', '@app.route("/x", note="see @me")\ndef f():\n    pass\n', '@app.route("/x")\ndef f():\n    pass\n'],
    ['an at sign in a comment', 'python', '@a\n# was @b here\ndef f():\n    pass\n', '@a\ndef f():\n    pass\n'],
    ['a line that goes on, and one behind other code', 'python', 'x = 1\n', 'x = 1; y = 2\nif x: pass; z = 3\nif x: \\\n        z = 4\n\f\ndef f(): return (\n1)\n'],
    ['tabs and spaces of one width', 'python', 'if a:\n\tx()\n', 'if a:\n\tx()\n        # why\n\ty()\n'],
  ] as const)('%s', async (_what, language, before, after) => {
    expect(await whatBroke(language, before, after)).toEqual(NOTHING)
  })
})

describe('whatBroke, where the grammar takes what is wrong', () => {
  const code = 'def f(a):\n    if a:\n        x()\n    return a\n\n\ndef g():\n    pass\n'
  it.each([
    ['no block', code.replace('    x()', 'x()'), [{ line: 2, text: 'if a:', missing: 'indented block' }]],
    ['no body', code.replace('    pass\n', '\nh()\n'), [{ line: 7, text: 'def g():', missing: 'indented block' }]],
    ['a body of a comment', code.replace('pass', '# later'), [{ line: 7, text: 'def g():', missing: 'indented block' }]],
    ['too little', code.replace('    return', '   return'), [{ line: 4, text: 'return a', missing: 'indentation of a block around it' }]],
    ['too much', code.replace('    return', '     return'), [{ line: 4, text: 'return a', missing: 'indentation of a block around it' }]],
  ])('in Python, %s', async (_what, after, parseErrors) => {
    expect(await whatBroke('python', code, after)).toEqual({ parseErrors, dropped: [] })
  })

  it.each([
    ['a bracket', 'int f(int a) {\n  return g(a;\n}\n'], ['a brace', 'int f(int a) {\n  return a;\n'],
    ['a semicolon', 'int f(int a) {\n  return a\n}\n'],
  ])('in C, without %s', async (_what, after) => {
    expect((await whatBroke('c', 'int f(int a) {\n  return a;\n}\n', after)).parseErrors).not.toEqual([])
  })

  it('an attribute with a path', async () => {
    const { dropped } = await whatBroke('rust', '#[tokio::main]\nasync fn main() {}\n', 'async fn main() {}\n')
    expect(dropped).toEqual([{ name: 'main', line: 1, marks: ['#[tokio::main]'] }])
  })
})

describe('whatBroke, of languages that the grammar does not know all of', () => {
  it.each([
    ['swift', 'func f() {}\n', 'func f() {}\nfunc g(a: sending Int) { nonisolated(unsafe) let b = a }\n'],
    ['kotlin', 'val a by lazy { 1 }\n', 'val a by lazy { 1 }\nfun interface F { fun call() }\n'],
    ['bash', 'f() { :; }\n', 'f() { :; }\ncase $1 in\n  a) x=("$(f)") ;;\nesac\n[[ $x == @(a|[.~])* ]]\n'],
  ] as const)('tells nothing of new %s that it does not know', async (language, before, after) => {
    expect(await whatBroke(language, before, after)).toEqual(NOTHING)
  })

  it.each([
    ['swift', 'func f() {\n  g(1)\n}\n'], ['kotlin', 'fun f() {\n  g(1)\n}\n'], ['scala', 'def f() = {\n  g(1)\n}\n'],
    ['elixir', 'def f() do\n  g(1)\nend\n'], ['lua', 'function f()\n  g(1)\nend\n'],
  ] as const)('tells a bracket that %s lacks', async (language, code) => {
    expect((await whatBroke(language, code, code.replace('(1)', '(1'))).parseErrors).not.toEqual([])
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
    expect(await loneBracket('kotlin', 'class A { constructor(a: Int) { f("${a} {") } }\n')).toBeUndefined()
    expect(await loneBracket('swift', 'func f() { g("\\(a) {") }\n')).toBeUndefined()
    expect(await loneBracket('bash', 'case $1 in\n  a) b=("$(c)") ;;\nesac\n')).toBeUndefined()
    expect(await loneBracket('rust', "#[inline]\nfn f<'a>(x: &'a str) -> char { '{' }\n")).toBeUndefined()
  })
})
