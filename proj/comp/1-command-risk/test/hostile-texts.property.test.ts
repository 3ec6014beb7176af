import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DANGERS, findDangers } from '../src/index.js'

const isDangerName = (name: string): boolean => Object.hasOwn(DANGERS, name)

function shell(text: string): string[] {
  return findDangers({ kind: 'shell', text }).map(({ name }) => name)
}

/** Texts that take more than linear time, or deep recursion, where nobody thought of them. */
const BOMBS: readonly (readonly [name: string, text: string])[] = [
  ['braces', `echo ${'{a,b}'.repeat(400)}`],
  ['nested braces', `echo ${'{a,'.repeat(3000)}b${'}'.repeat(3000)}`],
  ['substitutions', `${'$('.repeat(3000)}ls${')'.repeat(3000)}`],
  ['subshells', `${'('.repeat(3000)}ls${')'.repeat(3000)}`],
  ['backticks', '`'.repeat(5001)],
  ['quotes', '"'.repeat(9999)],
  ['evals', `${'eval '.repeat(5000)}ls`],
  ['sudos', `${'sudo '.repeat(5000)}ls`],
  ['a doubling variable', `a=xxxxxxxx; ${'a=$a$a; '.repeat(60)} $a`],
  ['a doubling echo', `a=x; ${'a=$(echo $a $a); '.repeat(60)} $a`],
  ['a function that calls itself', 'f() { f; f; f; }; f'],
  [
    'functions that call one another',
    `${Array.from({ length: 30 }, (_, n) => `f${n}() { f${n + 1}; f${n + 1}; }; `).join('')} f0`,
  ],
  ['loops in loops', `${'for i in 1 2 3 4 5 6 7 8; do '.repeat(12)} ls ${'; done'.repeat(12)}`],
  ['an alias of itself', 'alias a="a a"; a'],
  ['a long option', `rm -${'r'.repeat(50_000)} x`],
  ['a long word', 'v'.repeat(150_000)],
  ['line ends', '\n'.repeat(150_000)],
  ['stars', `x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; echo \${x##${'*a'.repeat(40)}b}`],
  ['printf', `printf '${'%s'.repeat(5000)}' ${'a '.repeat(5000)}`],
  ['xargs', `echo ${'a '.repeat(20_000)} | xargs sh -c ls`],
  ['docker options', `docker rm ${'-v'.repeat(20_000)}`],
  ['here-documents', Array.from({ length: 2000 }, (_, n) => `cat <<E${n}`).join('\n')],
  ['curl', 'curl | '.repeat(5000)],
]

/** One that does not return in time is failed by the limit of the test. */
describe('texts made to hang it', () => {
  it.each(BOMBS)('%s', (_, text) => {
    expect(shell(text).every(isDangerName)).toBe(true)
  })

  it.each([
    'subprocess.run(['.repeat(8000),
    'os.system('.repeat(9000),
    'exec('.repeat(9000),
    '['.repeat(90_000),
    `${'a = '.repeat(9000)}1`,
    'rm -r '.repeat(9000),
    '`'.repeat(90_000),
    'import a as b;'.repeat(6000),
  ])('code: %.20s…', (text) => {
    for (const lang of ['python', 'javascript', 'ruby', 'powershell'] as const) {
      expect(findDangers({ kind: 'code', lang, text }).every(({ name }) => isDangerName(name))).toBe(true)
    }
  })

  it('what is too long to be followed is asked about', () => {
    expect(shell(`${'true; '.repeat(6000)} ls`)).toEqual(['unreadable command'])
    expect(shell(`echo ${'a'.repeat(300_000)}`)).toEqual(['unreadable command'])
  })
})

describe('a dangerous command stays one', () => {
  const simple = readFileSync(new URL('../test-data/plain.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { danger: string; run: string })
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  const frames: readonly ((text: string) => string)[] = [
    (text) => `{ ${text}\n}`,
    (text) => `( ${text}\n)`,
    (text) => `if true; then ${text}\nfi`,
    (text) => `while read -r x; do ${text}\ndone < list`,
    (text) => `true && {\n${text}\n} || false`,
    (text) => `x=$(${text}\n)`,
    (text) => `echo "$(${text}\n)"`,
    (text) => `bash -c ${quoted(text)}`,
    (text) => `eval ${quoted(text)}`,
    (text) => `cmd=${quoted(text)}; sh -c "$cmd"`,
    (text) => `cat <<'END_OF_IT' | bash\n${text}\nEND_OF_IT`,
    (text) => `f() {\n${text}\n}; f`,
    (text) => `echo before\n${text}\necho after`,
    (text) => `case $x in *) ${text}\n;; esac`,
    (text) => `sudo env A=b nohup sh -c ${quoted(text)}`,
    (text) => `cat > s.sh <<'END_OF_IT'\n${text}\nEND_OF_IT\nchmod +x s.sh && ./s.sh`,
  ]

  it('whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...simple),
        fc.array(fc.constantFrom(...frames), { maxLength: 2 }),
        ({ danger, run }, around) => {
          const text = around.reduce((inner, frame) => frame(inner), run)
          expect(shell(text), text).toContain(danger)
        },
      ),
      { numRuns: 600 },
    )
  })

  it('but not where it is only said', () => {
    fc.assert(
      fc.property(fc.constantFrom(...simple), fc.nat(3), ({ run }, kind) => {
        const text =
          [
            `echo ${quoted(run)}`,
            `# ${run}`,
            `git commit -m ${quoted(run)}`,
            `cat > notes.md <<'END_OF_IT'\n${run}\nEND_OF_IT`,
          ][kind] ?? ''
        expect(shell(text), text).toEqual([])
      }),
    )
  })
})

it('docs/approvals.md lists every kind', () => {
  const page = readFileSync(new URL('../../../../docs/approvals.md', import.meta.url), 'utf8')
  const [, dangers = ''] = page.split('\n## Dangerous commands\n')
  const rows = [...dangers.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, text]) => [name, text])
  expect(rows).toEqual(Object.entries(DANGERS))
})
