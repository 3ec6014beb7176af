import {
  EXECUTION_CODES, NESL_CODES, NODE_CODES, SCANNER_CODES, USAGE_CODES,
} from '../../../../0-contracts/src/index.js'
import { explain, topicPage, TOPICS, commandsPage, manPage } from '../../../../7-setup/src/index.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { EXIT } from '../../exit-codes.js'
import { commandHelp, generalHelp } from '../../help/command-help.js'
import { readableColumns, isTerminal, print } from '../../io/output.js'

const CODES: readonly string[] = [...EXECUTION_CODES, ...SCANNER_CODES, ...NESL_CODES, ...NODE_CODES, ...USAGE_CODES]
/** Columns of a page where standard output is no terminal. */
const PIPE_COLUMNS = 80

/** `hermes help`: a command, a topic or a code of a failure. */
export async function help(args: Arguments, { commands, groups, version, packageFile }: Program): Promise<number> {
  const [written] = args.positionals
  if (args.has('man') || args.has('markdown')) {
    if (written !== undefined) {
      throw usageError(`Unexpected argument: ${written}`, '--man and --markdown are of all commands.')
    }
    print(args.has('man') ? manPage(commands, version()) : commandsPage(commands))
    return EXIT.ok
  }
  if (written === undefined) {
    const width = Math.max(...TOPICS.map(({ name }) => name.length)) + 3
    print(`${generalHelp(groups, readableColumns())}\nTopics (hermes help `
      + `TOPIC):\n${TOPICS.map(({ name, title }) => `  ${name.padEnd(width)}${title}\n`).join('')}\nhermes help CODE `
      + `explains the code of a failure, such as TEXT_NOT_FOUND.\n`)
    return EXIT.ok
  }
  const command = commands.find(({ name }) => name === written)
  const topic = TOPICS.find(({ name }) => name === written)
  const code = CODES.find((one) => one === written.toUpperCase())
  // Some commands are topics too: the page follows the flags.
  if (command ?? topic) print(
    [command && commandHelp(command, readableColumns()), topic && topicPage(topic, packageFile(), screenColumns())]
      .filter((one) => one !== undefined).join('\n'),
  )
  else if (code) print(explain(code))
  else {
    const names = [...commands, ...TOPICS].map(({ name }) => name)
    throw usageError(
      `Nothing is known of: ${written}`,
      `${didYouMean(written, [...names, ...CODES])}Topics: ${TOPICS.map(({ name }) => name).join(', ')}.`,
    )
  }
  return EXIT.ok
}

function screenColumns(): number {
  return isTerminal('stdout') ? readableColumns() : PIPE_COLUMNS
}
