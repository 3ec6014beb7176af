import { flagName, wrapWords } from '../../../0-text/src/index.js'
import type { Command } from '../command.js'

const MOST_COLUMNS = 120

/** `hermes --help`. */
export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 3
  return [
    "hermes finds the blocks in a language model's answer, runs each on its own, and says per block what happened.",
    '',
    'Usage: hermes COMMAND [options]',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Options:',
    '  -h, --help      Show this help; hermes COMMAND --help shows that of a command',
    '  -v, --version   Show the version',
    '',
    'Example:',
    `  ${commands[0]?.example.line ?? ''}`,
    '',
  ].join('\n')
}

/** `hermes COMMAND --help`. */
export function commandHelp({ usage, summary, about, flags, example, exits }: Command): string {
  const names = flags.map(flagName)
  const width = Math.max(...names.map(name => name.length)) + 3
  return [
    `${summary}.`,
    '',
    ...usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} hermes ${line}`),
    '',
    ...about,
    '',
    'Options:',
    ...flags.map(({ help }, index) => hanging(`  ${names[index]!.padEnd(width)}`, help)),
    '',
    'Example:',
    `  ${example.line}`,
    `  ${example.does}`,
    '',
    'Exit codes:',
    ...exits.map(([code, meaning]) => hanging(`  ${String(code).padStart(3)}  `, meaning)),
    '',
  ].join('\n')
}

/** A text behind its head; what is wider than the screen goes on below its beginning. */
function hanging(head: string, text: string): string {
  return head + wrapWords(text, head.length, MOST_COLUMNS)
}
