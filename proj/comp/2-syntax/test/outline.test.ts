import { describe, expect, it } from 'vitest'
import { type ParsedId, outline } from '../src/index.js'

const all = (language: ParsedId, text: string) => outline(language, text, { wholes: (definitions) => definitions })

describe('outline', () => {
  it('tells the first line that is no code of the language', async () => {
    expect((await outline('python', 'x = 1\n')).errorLine).toBeUndefined()
    expect((await outline('python', 'x = 1\ny = )\nz = (\n')).errorLine).toBe(2)
    expect((await outline('typescript', 'const a = 1\nfunction f( {\n}\n')).errorLine).toBe(2)
  })

  it('has of each declaration the lines it is written in, and what stands behind it', async () => {
    const text = '\ufeff// A.\n// B.\nexport const a = [\n  1,\n]; // c\n\n@d\nclass C { x = 1 }\nlet e, f\n'
    const { definitions, wholes } = await all('typescript', text)
    const shown = definitions.map((definition) => {
      const { commentLine, firstLine, lastLine, tail } = wholes.get(definition) ?? {}
      return [definition.name, commentLine, firstLine, lastLine, tail]
    })
    expect(shown).toEqual([
      ['a', 1, 3, 5, '; // c'], ['C', 7, 7, 8, ''], ['x', 8, 8, 8, undefined], ['e', 9, 9, 9, ''], ['f', 9, 9, 9, ''],
    ])
  })

  it('takes no line above for a comment that only ends with one, or stands apart', async () => {
    const text = 'int a; // of a\nint b;\n\n// apart\n\nint c; /* of c\nand d */\nint d;\n'
    const { wholes } = await all('c', text)
    expect([...wholes.values()].map(({ commentLine }) => commentLine)).toEqual([1, 2, 6, 8])
  })

  it('has of given lines the definitions, and those that begin within a string', async () => {
    const text = 'a = """\n1\n2"""\ndef f():\n    """Doc\n    string."""\n    b = (\n        "x"\n        "y")\n    return f"""\n{a}"""\n'
    const found = await outline('python', text, { lines: [2, 11] })
    expect([...found.stringLines]).toEqual([2, 3, 11])
    expect(found.definitions.filter(({ startLine }) => startLine > 1).map(({ name }) => name)).toEqual(['f', 'b'])
  })

  it('leaves the strings of `<<~` out, whose indentation does not count', async () => {
    const text = 'a = <<~A\n  1\nA\nb = <<-B\n  1\n  B\n'
    expect([...(await outline('ruby', text, { lines: [1, 6] })).stringLines]).toEqual([5, 6])
  })
})
