import type { CommandText, Flag } from '../help-texts/index.js'

/** The values that may follow a flag, or stand at a position. */
export type Values = readonly string[] | 'files' | 'directories' | 'runs' | undefined

export interface CompletionTable {
  commands: readonly CommandText[]
  /** Names for `tools show` and `tools validate`. */
  verbs: readonly string[]
  /** Topics for `help`. */
  topics: readonly string[]
  /** Error codes for `help`. */
  codes: readonly string[]
  /** Settings for `config get` and `config set`. */
  settings: readonly string[]
}

/** Placeholders for ids of runs. */
const RUN = /^(?:RUN|ID)\b/

/** The values that a flag takes, if the table knows them. */
export function valuesOf({ value, choices }: Flag): Values {
  if (value === undefined) return undefined
  if (choices) return choices
  if (RUN.test(value)) return 'runs'
  if (/^[a-z]+(?:\|[a-z]+)+$/.test(value)) return value.split('|')
  return /^DIR\b/.test(value) ? 'directories' : 'files'
}

/** The words that usage lines begin with: `list`, or `show|check|path`. */
export function subcommands({ name, usage }: CommandText): string[] {
  const first = usage.flatMap((line) => /^\S+ \[?([a-z-]+(?:\|[a-z-]+)*)\]?(?: |$)/.exec(line)?.[1]?.split('|') ?? [])
  return [...new Set(first)].filter((word) => word !== name && word !== 'options')
}

/** The words that may follow; the key is `COMMAND` or `COMMAND SUBCOMMAND`. */
export function positionals(table: CompletionTable): Record<string, readonly string[] | 'runs'> {
  const places: Record<string, readonly string[] | 'runs'> = {}
  for (const command of table.commands) {
    const words = command.name === 'help' ? [...table.commands.map(({ name }) => name), ...table.topics, ...table.codes]
      : command.usage.some((line) => /^\S+ \[?RUN\b/.test(line)) ? 'runs' : subcommands(command)
    if (words.length > 0) places[command.name] = words
  }
  return {
    ...places, 'tools show': table.verbs, 'tools validate': table.verbs, 'config get': table.settings,
    'config set': table.settings,
  }
}

/** The flags as they are typed. */
export function flagWords(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ name, short }) => [...(short === undefined ? [] : [`-${short}`]), `--${name}`])
}

/** A word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
