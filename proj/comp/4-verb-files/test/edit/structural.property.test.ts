import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runStructural, type StructuralCase } from './support/structural-cases.js'

/** A declaration as its lines, without indentation, and the comment above it. */
interface Block {
  comment: string[]
  lines: string[]
}

/** How one language writes methods and functions; lines are joined with these indentations. */
interface Style {
  file: string
  opener: string
  closer: string[]
  /** Blank lines between functions at the top. */
  gap: number
  block: (name: string, unit: string, parts: Parts) => Block
}
interface Parts {
  comment: boolean
  mark: boolean
  body: string[]
  inTop: boolean
}

const PYTHON: Style = {
  file: 'a.py',
  opener: 'class Outer:',
  closer: [],
  gap: 2,
  block: (name, unit, { comment, mark, body }) => ({
    comment: comment ? [`# About ${name}.`, '# More.'] : [],
    lines: [...(mark ? ['@mark(1)'] : []), `def ${name}(self):`, ...body.map((line) => unit + line), `${unit}return '${name}'`],
  }),
}
const TYPESCRIPT: Style = {
  file: 'a.ts',
  opener: 'export class Outer {',
  closer: ['}'],
  gap: 1,
  block: (name, unit, { comment, mark, body, inTop }) => ({
    comment: comment ? ['/**', ` * About ${name}.`, ' */'] : [],
    lines: [
      ...(mark && !inTop ? ['@mark(1)'] : []),
      `${inTop ? `${mark ? 'export ' : ''}function ` : 'async '}${name}() {`, ...body.map((line) => unit + line), `${unit}return '${name}'`, '}',
    ],
  }),
}

const bodies: Record<string, readonly string[]> = {
  'a.py': ['x = "}"', 'y = [', '    1,', ']', 'if x:', '    y = {1: 2}', 'for z in y:', '    pass', "s = 'def f0(self):'"],
  'a.ts': ['let x = "}"', 'if (x) {', '  call({ a: 1 })', '}', "const s = 'f0() {'", '// f1() {', 'const t = `${x} {`'],
}
/** Lines that stand for themselves, or come with those they need. */
const groups = (file: string): fc.Arbitrary<string[]> => {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = ''] = bodies[file] ?? []
  const list = file === 'a.py' ? [[a], [b, c, d], [e, f], [g, h], [i]] : [[a], [b, c, d], [e], [f], [g]]
  return fc.array(fc.constantFrom(...list), { maxLength: 4 }).map((all) => all.flat())
}

const scenarios = fc.constantFrom(PYTHON, TYPESCRIPT).chain((style) => fc.record({
  style: fc.constant(style),
  parts: fc.array(fc.record({ comment: fc.boolean(), mark: fc.boolean(), body: groups(style.file) }), { minLength: 1, maxLength: 5 }),
  added: fc.record({ comment: fc.boolean(), mark: fc.boolean(), body: groups(style.file) }),
  at: fc.nat(9),
  act: fc.constantFrom('replace', 'delete', 'before', 'after'),
  inTop: fc.boolean(),
  unit: fc.constantFrom('  ', '    ', '\t'),
  written: fc.constantFrom('', '    ', '\t\t'),
  ends: fc.constantFrom(['', ''], ['\n', '\n'], ['', '\n']),
  crlf: fc.boolean(),
  bom: fc.boolean(),
  end: fc.boolean(),
}))

it('puts whole declarations in their place, whatever is around them', async () => {
  await fc.assert(fc.asyncProperty(scenarios, async (scenario) => {
    const { style, parts, added, at, act, inTop, unit, written, ends: [lead = '', trail = ''], crlf, bom, end } = scenario
    const blocks = parts.map((each, index) => style.block(`f${index}`, unit, { ...each, inTop }))
    const target = at % blocks.length
    const name = act === 'replace' ? `f${target}` : 'added'
    const block = style.block(name, unit, { ...added, inTop })
    const file = (list: readonly Block[]): string => {
      const text = moduleOf(style, list, { inTop, unit })
      const whole = `${bom ? '\ufeff' : ''}${end ? text : text.replace(/\n$/, '')}`
      return crlf ? whole.replaceAll('\n', '\r\n') : whole
    }
    const call: StructuralCase = {
      name: '', file: style.file, before: '', change: '', result: '',
      verb: act === 'before' || act === 'after' ? `symbol_insert_${act}` : 'symbol_replace',
      symbol: inTop || at % 2 === 0 ? `f${target}` : `Outer.f${target}`,
      newText: act === 'delete' ? '' : lead + indented([...block.comment, ...block.lines], written).join('\n') + trail,
    }
    const { after, result } = await runStructural(call, file(blocks))
    expect(after, result).toBe(file(expected(blocks, target, act, block)))
  }), { numRuns: Number(process.env['HERMES_RUNS'] ?? 150) })
})

function expected(blocks: readonly Block[], target: number, act: string, block: Block): Block[] {
  const old = blocks[target]
  const replaced: Block = {
    comment: block.comment.length > 0 ? block.comment : old?.comment ?? [],
    lines: withHeader(old?.lines[0] ?? '', block.lines),
  }
  return blocks.flatMap((each, index) => {
    if (index !== target) return [each]
    if (act === 'replace') return [replaced]
    if (act === 'delete') return []
    return act === 'before' ? [block, each] : [each, block]
  })
}

/** A decorator or `export` stays where the new lines have none. */
function withHeader(old: string, lines: string[]): string[] {
  const [first = ''] = lines
  if (first.startsWith('@') || first.startsWith('export ')) return lines
  if (old.startsWith('@')) return [old, ...lines]
  return old.startsWith('export ') ? [`export ${first}`, ...lines.slice(1)] : lines
}

/** A module of an import and functions, or of one class with methods and a function behind it. */
function moduleOf({ opener, closer, gap, file }: Style, blocks: readonly Block[], { inTop, unit }: { inTop: boolean; unit: string }): string {
  const blank = (count: number): string[] => Array.from({ length: count }, () => '')
  const joined = blocks.flatMap((block, index) => [
    ...(index > 0 ? blank(inTop ? gap : 1) : []), ...indented([...block.comment, ...block.lines], inTop ? '' : unit),
  ])
  // Python has no empty blocks.
  if (joined.length === 0 && !inTop && file === 'a.py') joined.push(`${unit}pass`)
  const last = file === 'a.py' ? ['def last():', '    pass'] : ['function last() {', '}']
  return inTop
    ? [file === 'a.py' ? 'import a' : "import 'a'", ...blank(gap), ...joined, ...(joined.length > 0 ? blank(gap) : []), ...last, ''].join('\n')
    : [opener, ...joined, ...closer, ...blank(gap), ...last, ''].join('\n')
}

function indented(lines: readonly string[], indentation: string): string[] {
  return lines.map((line) => (line === '' ? line : indentation + line))
}
