import type { CommandText, Flag } from './command-text.js'

/** What stands behind a flag or in a place of a command line. */
type Values = readonly string[] | 'files' | 'directories' | undefined

export interface CompletionTable {
  commands: readonly CommandText[]
  /** Names for `tools show` and `tools validate`. */
  verbs: readonly string[]
  /** For `help`. */
  topics: readonly string[]
  /** For `config get` and `config set`. */
  settings: readonly string[]
}

/** The values a flag takes, as far as the table says. */
export function valuesOf({ value, choices }: Flag): Values {
  if (value === undefined) return undefined
  if (choices) return choices
  if (/^[a-z]+(?:\|[a-z]+)+$/.test(value)) return value.split('|')
  return /^DIR\b/.test(value) ? 'directories' : 'files'
}

/** The words that a usage line begins with: `list`, or `show|check|path`. */
export function subcommands({ name, usage }: CommandText): string[] {
  const first = usage.flatMap((line) => /^\S+ \[?([a-z-]+(?:\|[a-z-]+)*)\]?(?: |$)/.exec(line)?.[1]?.split('|') ?? [])
  return [...new Set(first)].filter((word) => word !== name && word !== 'options')
}

/** What may follow the words so far; the key is `COMMAND` or `COMMAND SUBCOMMAND`. */
export function positionals(table: CompletionTable): Record<string, readonly string[]> {
  const places: Record<string, readonly string[]> = {}
  for (const command of table.commands) {
    const words = command.name === 'help' ? [...table.commands.map(({ name }) => name), ...table.topics]
      : subcommands(command)
    if (words.length > 0) places[command.name] = words
  }
  return {
    ...places, 'tools show': table.verbs, 'tools validate': table.verbs, 'config get': table.settings,
    'config set': table.settings,
  }
}

export function bashCompletion(table: CompletionTable): string {
  const { commands } = table
  const flags = commands.map(({ name, flags: all }) => `    ${name}) flags='${flagWords(all).join(' ')}' ;;`)
  const values = commands.flatMap(({ name, flags: all }) => all.flatMap((flag) => {
    const found = valuesOf(flag)
    if (found === undefined || found === 'files') return []
    const words = found === 'directories'
      ? 'mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames 2> /dev/null'
      : `COMPREPLY=($(compgen -W '${found.join(' ')}' -- "$cur"))`
    return [`    '${name} --${flag.name}') ${words}; return ;;`]
  }))
  const takesFile = commands.flatMap(({ name, flags: all }) =>
    all.filter((flag) => valuesOf(flag) === 'files').map((flag) => `'${name} --${flag.name}'`))
  const places = Object.entries(positionals(table))
    .map(([words, next]) => `    '${words}') COMPREPLY=($(compgen -W '${next.join(' ')}' -- "$cur")) ;;`)
  return `# Completion of hermes for bash. In ~/.bashrc: source <(hermes completion bash)
# A name a line: names have spaces. Only where bash itself completes can it be told to quote them.
_hermes_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  compopt -o filenames 2> /dev/null
}
_hermes() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev= command= words= flags= i
  ((COMP_CWORD > 0)) && prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == [-=]* ]] && break
    words+="\${words:+ }\${COMP_WORDS[i]}"
  done
  command=\${words%% *}
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$cur"))
    return
  fi
  case "$command $prev" in
${values.join('\n')}
    ${takesFile.join('|')}) _hermes_files; return ;;
  esac
  case $command in
${flags.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  case $words in
${places.join('\n')}
    *) _hermes_files ;;
  esac
}
complete -F _hermes hermes
`
}

export function zshCompletion(table: CompletionTable): string {
  const places = positionals(table)
  const cases = table.commands.map(({ name, flags }) => {
    const specs = flags.map((flag) => `      ${zshFlag(flag)}`)
    const first = places[name] ? `'1:word:(${places[name].join(' ')})'` : "'1:file:_files'"
    const second = ['tools show', 'config get'].filter((words) => words.startsWith(`${name} `))
      .map((words) => `'2:name:(${(places[words] ?? []).join(' ')})'`)
    const rows = [...specs, `      ${first}`, ...second.map((one) => `      ${one}`), "      '*:file:_files'"]
    return `    ${name})\n    _arguments \\\n${rows.join(' \\\n')}\n    ;;`
  })
  return `#compdef hermes
# Completion of hermes for zsh. In ~/.zshrc, after compinit: source <(hermes completion zsh)
_hermes() {
  local -a commands
  commands=(
${table.commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _hermes hermes
`
}

function zshFlag(flag: Flag): string {
  const values = valuesOf(flag)
  const offered = values === 'files' ? '_files' : values === 'directories' ? '_files -/' : `(${values?.join(' ')})`
  const action = values === undefined ? '' : `:${flag.value?.replaceAll(/[:[\]|]/g, ' ')}:${offered}`
  const help = flag.help.replaceAll(/[[\]\\:]/g, '\\$&')
  return quoted(
    `${flag.repeatable === true ? '*' : ''}--${flag.name}${flag.value === undefined ? '' : '='}[${help}]${action}`,
  )
}

export function fishCompletion(table: CompletionTable): string {
  const lines = table.commands.flatMap(({ name, summary, flags }) => [
    `complete -c hermes -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
    ...flags.map((flag) => {
      const values = valuesOf(flag)
      const takes = values === undefined ? '' : values === 'files' ? ' -r -F'
        : values === 'directories' ? " -x -a '(__fish_complete_directories)'" : ` -x -a '${values.join(' ')}'`
      return `complete -c hermes -n '__fish_seen_subcommand_from ${name}' -l `
        + `${flag.name}${flag.short === undefined ? '' : ` -s ${flag.short}`}${takes} -d ${fishQuoted(flag.help)}`
    }),
  ])
  const places = Object.entries(positionals(table)).map(([words, next]) => (
    `complete -c hermes -n '${words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')}' `
      + `-f -a '${next.join(' ')}'`
  ))
  return '# Completion of hermes for fish. Into ~/.config/fish/completions/hermes.fish: '
    + `hermes completion fish\n${[...lines, ...places].join('\n')}\n`
}

function flagWords(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ name, short }) => [...(short === undefined ? [] : [`-${short}`]), `--${name}`])
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
