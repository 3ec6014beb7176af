import { describe, expect, it } from 'vitest'
import { foldLines } from '../../../0-text/src/index.js'
import { COMMAND_GROUPS, COMMANDS } from '../../src/commands.js'
import { commandHelp, generalHelp } from '../../src/help/command-help.js'

const TEXTS = [
  ['hermes --help', (columns: number) => generalHelp(COMMAND_GROUPS, columns)] as const,
  ...COMMANDS.map((command) => [command.name, (columns: number) => commandHelp(command, columns)] as const),
]

describe.each([40, 60, 80, 120])('help at %i columns', (columns) => {
  it.each(TEXTS)('%s: no line is longer than the terminal, but for a word that no line can hold', (_, help) => {
    const rows = foldLines(help(columns), columns).split('\n')
    expect(rows.filter((row) => row.length > columns && row.trim().includes(' '))).toEqual([])
    const words = help(1000).split(/\s+/).filter((word) => word.length <= columns)
    const shown = new Set(rows.flatMap((row) => row.split(/\s+/)))
    expect(words.filter((word) => !shown.has(word))).toEqual([])
  })
})

it('an example that is too long for the terminal can be copied', () => {
  const shown = commandHelp(COMMANDS.find(({ name }) => name === 'apply')!, 40)
  expect(shown).toContain('  hermes apply answer.md --root \\\n    ./project --root-alias /workspace\n')
})
