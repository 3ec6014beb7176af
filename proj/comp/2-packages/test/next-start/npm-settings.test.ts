/** Lines of `.npmrc` by which a program may start, compared with what the npm beside this Node reads. */
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settingsOf, withPrograms } from '../../src/next-start/npm-settings.js'

const npm = createRequire(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()))
const { parse } = npm('ini') as { parse: (text: string) => Record<string, unknown> }
const envReplace = npm('@npmcli/config/lib/env-replace.js') as (text: string, env: object) => string

const ENV = { A: 'node', B: '-', EMPTY: '', NAME: 'script-shell' }
const NAMES = ['node-options', 'script-shell', 'prefix', 'userconfig', 'call', 'registry', '@scope:registry']

/** What npm takes from a project's `.npmrc`. */
function readByNpm(text: string): Map<string, unknown> {
  return new Map(Object.entries(parse(text)).map(([key, value]) => [envReplace(key, ENV), value]))
}

const piece = fc.constantFrom(
  ...NAMES, 'node', 'options', 'script', 'shell', '-', '_', ';', '#', '\\', '"', "'", '[', ']', '[]', '.', ' ', '\t',
  '=', '${A}', '${B}', '${EMPTY}', '${NO?}', '${NAME}', '$', '{', '}', '\u00a0', '\ufeff', '\\u0070', '\n', '\r',
  '__proto__', ':registry', '@scope', '//host/:_authToken', 'x',
)
const wrapped = fc.tuple(
  fc.constantFrom('', '"', "'", `'"`, `"'`, '[', ' ', '\ufeff', ';', '\\'), fc.constantFrom(...NAMES),
  fc.constantFrom('', '"', "'", `"'`, `'"`, ']', '[]', ';x', '#y', '\\;', ' ', '\\', '${EMPTY}'), fc.constantFrom('', '=x', ' = x'),
).map(parts => parts.join(''))
const line = fc.oneof(wrapped, fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')))
const npmrc = fc.array(line, { maxLength: 5 }).map(lines => lines.join('\n'))

describe('settings of npm that start programs', () => {
  it('what is left when their lines are taken out names no program to npm', () => {
    fc.assert(fc.property(npmrc, text => {
      const read = readByNpm(settingsOf(text).others.join('\n'))
      expect(NAMES.filter(name => read.has(name))).toEqual([])
    }), { numRuns: 5000 })
  })

  it('what the run wrote is out of what is put back, and what was there counts as before', () => {
    fc.assert(fc.property(npmrc, npmrc, (before, after) => {
      const were = settingsOf(before).programs.filter(one => !one.startsWith('['))
      const [kept, read] = [readByNpm(were.join('\n')), readByNpm(withPrograms(after, were))]
      for (const name of NAMES) expect(read.get(name)).toEqual(kept.get(name))
    }), { numRuns: 2000 })
  })

  it.each([
    'node-options;x=--require ./evil.js', 'node-options#y=z', `'"node-options"'=z`, '"node-options"=z', 'node-options',
    'registry=https://registry.example/', '@scope:registry = https://registry.example/', 'https-proxy=x', 'ca="a;b"',
    '  Node_Options = z', 'cache[]=z', '${X}=z', 'node\\-options=z', '[section]', '\ufeffprefix=z', 'a b=z',
  ])('%j may start one', text => expect(settingsOf(text)).toEqual({ programs: [text], others: [] }))

  it.each([
    '; node-options=z', '# prefix=z',
    '//registry.example/a/~b/:_authToken=${NPM_TOKEN}', 'fund=false', 'public-hoist-pattern[]=*eslint*', 'save-exact', '',
    '=x', 'omit[]=dev;x',
  ])('%j starts none', text => expect(settingsOf(text)).toEqual({ programs: [], others: [text] }))

  it('a long line is read at once', () => {
    const text = `a${' '.repeat(2_000_000)}b`
    expect(settingsOf(text).programs).toEqual([text])
  })
})
