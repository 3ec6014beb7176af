import { flagName, wrapWords } from '../../../0-text/src/index.js'
import type { Command, CommandGroup } from '../command.js'
import { asTyped } from '../io/output.js'

/** Width for which the texts of `about` are written. */
const WRITTEN_COLUMNS = 120
/** With fewer columns beside its head, a text goes below it. */
const LEAST_BESIDE = 30
const BELOW = 8
/** Columns of an example's row besides its words: margin, a space, and the continuation mark. */
const BEHIND = 7

/** `hermes --help`. @param columns of the screen */
export function generalHelp(groups: readonly CommandGroup[], columns = WRITTEN_COLUMNS): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length))) + 5
  return [
    ...paragraph("hermes finds the blocks in a language model's answer, runs each on its own, and says per block what "
      + 'happened.', columns),
    '',
    asTyped('Usage: hermes COMMAND [options]'),
    '',
    ...groups.flatMap(({ title, commands }) => [
      `${title}:`, ...commands.map(({ name, summary }) => hanging(`  ${name}`, summary, width, columns)), '',
    ]),
    'Options:',
    hanging('  -h, --help', 'Show this help; hermes COMMAND --help shows that of a command', 18, columns),
    hanging('  -v, --version', 'Show the version', 18, columns),
    '',
    'Example:',
    shellExample(asTyped(groups[0]?.commands[0]?.example.line ?? ''), columns),
    '',
  ].join('\n')
}

/** `hermes COMMAND --help`. @param columns of the screen */
export function commandHelp(command: Command, columns = WRITTEN_COLUMNS): string {
  const { usage, summary, about, flags, example, exits } = command
  const names = flags.map(flagName)
  const width = Math.max(...names.map(name => name.length)) + 5
  return [
    ...paragraph(`${summary}.`, columns),
    '',
    ...usage.map((line, index) => hanging(index === 0 ? 'Usage:' : '', `hermes ${line}`, 7, columns)),
    '',
    ...(columns < WRITTEN_COLUMNS ? paragraph(about.join(' '), columns) : about.map(asTyped)),
    '',
    'Options:',
    ...flags.map(({ help }, index) => hanging(`  ${names[index]!}`, help, width, columns)),
    '',
    'Example:',
    shellExample(asTyped(example.line), columns),
    hanging('', example.does, 2, columns),
    '',
    'Exit codes:',
    ...exits.map(([code, meaning]) => hanging(`  ${String(code).padStart(3)}`, meaning, 7, columns)),
    '',
  ].join('\n')
}

/** A command line that can be copied: if too long, it is continued with `\` outside of quotes. */
function shellExample(line: string, columns: number): string {
  const rows = ['']
  for (const part of line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    const row = rows.at(-1) ?? ''
    if (row !== '' && row.length + part.length + BEHIND > columns) rows.push(part)
    else rows[rows.length - 1] = row === '' ? part : `${row} ${part}`
  }
  return rows.map((row, index) => `${index === 0 ? '  ' : '    '}${row}`).join(' \\\n')
}

function paragraph(text: string, columns: number): string[] {
  return wrapWords(asTyped(text), 0, columns).split('\n')
}

/** A text beside its head; further lines are indented to its start. */
function hanging(head: string, written: string, width: number, columns: number): string {
  const text = asTyped(written)
  if (columns - width >= Math.min(LEAST_BESIDE, columns - BELOW)) {
    return head.padEnd(width) + wrapWords(text, width, columns)
  }
  return `${head}\n${' '.repeat(BELOW)}${wrapWords(text, BELOW, columns)}`
}
