/** Texts as models write them, made by rule so that every run reads the same. */

const PROSE = [
  'The function reads the configuration and returns an object with the merged settings. It is called once at start.',
  'I looked at the failing test: the parser treats an empty line as the end of the list, which is wrong when the next',
  'line is indented. The mend is small, but it touches three files.',
  '',
  '## What changed',
  '',
  '- `src/parser.ts`: the loop now skips blank lines before it looks at the indentation',
  '- `test/parser.test.ts`: a case for each of the three shapes (see below)',
  '',
  '1. Run the tests with `npm test` and check that everything passes.',
  '2. Then bump the version & publish; x < y holds as long as a > b.',
  '',
  '```ts',
  'export function add(a: number, b: number): number {',
  '  if (a < 0 || b !== b) throw new RangeError("negative")',
  '  return a + b',
  '}',
  '```',
  '',
  'Let me know **if you want** me to go on with the second part, which touches _more_ files and needs a migration!',
  '> Quoted remark from the issue: this is slow',
  '',
  '| column | meaning |',
  '| --- | --- |',
  '| a | first |',
  '',
]

/** Its lines of words: paragraphs, a list, a heading. */
const WORDS = PROSE.slice(0, 10).filter((line) => line !== '')

/** Lines of prose between two live blocks. */
const LINES_PER_BLOCK = 2000

/** Answers with few live blocks. @param bytes all ASCII, so characters too */
export function prose(bytes) {
  const lines = []
  for (let length = 0, number = 0; length < bytes; number++) {
    const line = number % LINES_PER_BLOCK === 0 ? block(number, 'hello\n') : PROSE[number % PROSE.length]
    lines.push(line)
    length += line.length + 1
  }
  return flat(lines.join('\n'))
}

/** What models put in fences: the language, and lines of it. */
const CODE = [
  ['python', 'def load(path):', '    with open(path) as file:', '        return json.load(file)', '', 'print(load("a.json"))'],
  ['js', 'const total = items.reduce((sum, { price }) => sum + price, 0)', 'console.log(total)'],
  ['sh', 'npm test -- --run', 'git diff --stat'],
  ['text', 'FAIL src/a.test.ts', '  expected 3, got 4'],
  ['json', '{', '  "name": "demo",', '  "private": true', '}'],
]

/** Prose with a fence every five lines, without a block. */
export function fences(bytes) {
  const lines = []
  for (let length = 0, number = 0; length < bytes; number++) {
    const [language, ...code] = CODE[number % CODE.length]
    const text = [0, 1, 2, 3].map((line) => WORDS[(number * 4 + line) % WORDS.length])
    const piece = [...text, '', `\`\`\`${language}`, ...code, '```', ''].join('\n')
    lines.push(piece)
    length += piece.length + 1
  }
  return flat(lines.join('\n'))
}

/** Fences and nothing else. */
export function fenceLoop(bytes) {
  return flat('```js\nlet a = 1\n```\nA line of prose.\n'.repeat(bytes / 37))
}

/** SHAM blocks with 2 KB heredocs. @param fenced each in a fence of its own */
export function sham(bytes, fenced = false) {
  const content = 'const value = compute(1, 2) // a line of code here\n'.repeat(41)
  const blocks = []
  for (let length = 0, number = 0; length < bytes; number++) {
    const text = block(number, content)
    blocks.push(fenced ? `\`\`\`sham\n${text}\n\`\`\`` : text)
    length += text.length + 2
  }
  return flat(blocks.join('\n\n'))
}

function block(number, content) {
  const id = number.toString(36).padStart(4, '0')
  return `#!SHAM [@three-char-SHA-256: ${id}]\naction = "file_write"\npath = "/tmp/file${number}.ts"\n` +
    `content = <<'EOT_SHAM_${id}'\n${content}EOT_SHAM_${id}\n#!END_SHAM_${id}`
}

/** Joined strings are trees until they are read: the first reader would pay for it. */
export function flat(text) {
  return Buffer.from(text).toString()
}
