import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findDangers, type CommandSource } from '../src/index.js'

/** One labelled command: the name of its danger, or null for a harmless one; a shell's command without `lang`. */
interface Labelled {
  danger: string | null
  run: string
  lang?: 'python' | 'javascript' | 'ruby' | 'powershell'
  /** Variables of the call. */
  env?: Record<string, string>
}

const directory = new URL('../test-data/', import.meta.url)
const sets = readdirSync(directory)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()

function read(name: string): Labelled[] {
  const lines = readFileSync(new URL(name, directory), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Labelled)
}

function namesFor({ run, lang, env }: Labelled): string[] {
  const source: CommandSource = lang === undefined ? { kind: 'shell', text: run, env } : { kind: 'code', lang, text: run, env }
  return findDangers(source).map(({ name }) => name)
}

describe('labelled commands', () => {
  const all = sets.flatMap(read)

  it('are at least 300, none of them twice', () => {
    expect(all.length).toBeGreaterThanOrEqual(300)
    expect(new Set(all.map(({ run, lang, env = {} }) => `${lang ?? 'sh'} ${JSON.stringify(env)} ${run}`)).size).toBe(all.length)
  })

  it.each(sets)('%s: each is told by its name', (set) => {
    const wrong = read(set).filter((one) =>
      one.danger === null ? namesFor(one).length > 0 : !namesFor(one).includes(one.danger),
    )
    expect(wrong.map((one) => ({ ...one, found: namesFor(one) }))).toEqual([])
  })

  it('gives recall of 0.98 and precision of 0.95 at least', () => {
    const flagged = all.filter((one) => namesFor(one).length > 0)
    const dangerous = all.filter(({ danger }) => danger !== null)
    const right = flagged.filter(({ danger }) => danger !== null).length
    const [recall, precision] = [right / dangerous.length, right / flagged.length]
    console.log(
      `${all.length} labelled commands, ${dangerous.length} dangerous: `
        + `recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`,
    )
    expect(recall).toBeGreaterThanOrEqual(0.98)
    expect(precision).toBeGreaterThanOrEqual(0.95)
  })
})

// Written without sight of the rules, and never used to change them: what is missed here stays.
it('unseen commands: recall of 0.98 and precision of 0.95 at least', () => {
  const lines = readFileSync(new URL('unseen/commands.jsonl', directory), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const all = lines.map((line) => JSON.parse(line) as { dangerous: boolean; run: string })
  const flagged = all.filter(({ run }) => findDangers({ kind: 'shell', text: run }).length > 0)
  const right = flagged.filter(({ dangerous }) => dangerous).length
  const [recall, precision] = [right / all.filter(({ dangerous }) => dangerous).length, right / flagged.length]
  console.log(`${all.length} unseen commands: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`)
  expect(all.length).toBeGreaterThanOrEqual(100)
  expect(recall).toBeGreaterThanOrEqual(0.98)
  expect(precision).toBeGreaterThanOrEqual(0.95)
})
