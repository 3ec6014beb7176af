import { ALL_CODES } from '../../../../0-contracts/src/index.js'
import { createPalette } from '../../../../1-reports/src/index.js'
import {
  commandsPage, explain, manPage, TOPIC_GROUPS, topicPage, TOPICS, type Topic,
} from '../../../../7-setup/src/index.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { commandHelp, generalHelp } from '../../help/command-help.js'
import { asTyped, EXIT, isTerminal, print, printRaw, readableColumns, SIGNS, wantsColour } from '../../io/output.js'
import { printPaged } from '../../io/paged-text.js'

/** Columns of a page where standard output is no terminal. */
const PIPE_COLUMNS = 80

/** `hermes help`: shows a command, a topic or an error code. */
export async function help(args: Arguments, { commands, groups, version, packageFile }: Program): Promise<number> {
  const written = args.positionals[0]?.trim() || undefined
  if (args.has('man') || args.has('markdown')) {
    if (written !== undefined) {
      throw usageError(`Unexpected argument: ${written}`, '--man and --markdown are of all commands.')
    }
    printRaw(args.has('man') ? manPage(commands, version()) : commandsPage(commands))
    return EXIT.ok
  }
  if (written === undefined) {
    printPaged(`${generalHelp(groups, readableColumns())}\n${topicList()}\n`
      + asTyped('hermes help CODE explains the code of a failure, such as TEXT_NOT_FOUND.\n'))
    return EXIT.ok
  }
  const command = commands.find(({ name }) => name === written)
  const topic = TOPICS.find(({ name }) => name === written.toLowerCase().replace(/\.md$/, ''))
  const code = ALL_CODES.find((known) => known === written.toUpperCase())
  // Some commands are also topics: the page follows the flags.
  if (command ?? topic) {
    const parts = [command && commandHelp(command, readableColumns()), topic && await pageOf(topic, packageFile())]
    printPaged(parts.filter((part) => part !== undefined).join('\n'), true)
  } else if (code) {
    const { told, example } = explain(code)
    print(asTyped(told))
    printRaw(asTyped(example))
  } else {
    const names = [...commands, ...TOPICS].map(({ name }) => name)
    if (await isVerb(written)) {
      throw usageError(`${written} is a verb: help is of commands, topics and codes`, `hermes tools show ${written}`)
    }
    const begun = ALL_CODES.filter((known) => known.startsWith(written.toUpperCase()))
    const meant = begun.length === 1 ? `Did you mean ${begun.join('')}? `
      : didYouMean(written, [...names, ...ALL_CODES])
    throw usageError(
      `Nothing is known of: ${written}`, `${meant}All commands and topics: hermes help. All codes: hermes help codes.`,
    )
  }
  return EXIT.ok
}

async function isVerb(name: string): Promise<boolean> {
  const { VERBS } = await import('../../../../5-executor/src/index.js')
  return VERBS.some((verb) => verb.name === name)
}

function topicList(): string {
  const width = Math.max(...TOPICS.map(({ name }) => name.length)) + 3
  const rows = TOPIC_GROUPS.map(({ title, topics }) => (
    `  ${title}:\n${topics.map((topic) => `    ${topic.name.padEnd(width)}${topic.title}\n`).join('')}`))
  return `${asTyped('Topics (hermes help TOPIC):\n')}${rows.join('')}`
}

/** The page rendered as Markdown where the terminal has colours, else as plain text. */
async function pageOf(topic: Topic, packageFile: URL): Promise<string> {
  const page = topicPage(topic, packageFile)
  const isScreen = isTerminal('stdout')
  if (!isScreen || !wantsColour()) return asTyped(page.text(isScreen ? readableColumns() : PIPE_COLUMNS))
  const { markdownRows } = await import('../../../../7-console/src/index.js')
  const text = asTyped(`${page.markdown}\n${page.seeAlso && `\n${page.seeAlso}\n`}`)
  const look = { palette: createPalette(true), signs: SIGNS, columns: readableColumns() }
  return `${markdownRows(text, look).join('\n')}\n`
}
