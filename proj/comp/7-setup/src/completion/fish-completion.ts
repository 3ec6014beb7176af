import { positionals, valuesOf, type CompletionTable } from './completion-table.js'

const RUNS = '(__hermes_runs)'
const FUNCTIONS = String.raw`# The runs of --root, or of the working directory, by their journals.
function __hermes_runs
    set -l root .
    set -l typed (commandline -opc)
    if set -l at (contains -i -- --root $typed)
        set root $typed[(math $at + 1)]
    end
    for run in (string replace -r '^~' $HOME -- $root)/.hermes/journal/*Z-*/
        path basename $run
    end
end
# npx hermes: all else of npx stays as it is completed without this.
function __hermes_by_npx
    set -l typed (commandline -opc)
    test (count $typed) -gt 1; and test "$typed[2]" = hermes
end`
const BY_NPX = "complete -c npx -n __hermes_by_npx -x -a "
  + String.raw`'(complete -C (string replace -r "^\s*npx\s+" "" -- (commandline -cp)))'`

/** Completion for `~/.config/fish/completions`. Pressing Tab starts no program. */
export function fishCompletion(table: CompletionTable): string {
  const lines = table.commands.flatMap(({ name, summary, flags }) => [
    `complete -c hermes -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
    ...flags.map((flag) => {
      const values = valuesOf(flag)
      const takes = values === undefined ? '' : values === 'files' ? ' -r -F' : values === 'runs' ? ` -x -a '${RUNS}'`
        : values === 'directories' ? " -x -a '(__fish_complete_directories)'" : ` -x -a '${values.join(' ')}'`
      return `complete -c hermes -n '__fish_seen_subcommand_from ${name}' -l `
        + `${flag.name}${flag.short === undefined ? '' : ` -s ${flag.short}`}${takes} -d ${fishQuoted(flag.help)}`
    }),
  ])
  const places = Object.entries(positionals(table)).map(([words, next]) => (
    `complete -c hermes -n '${words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')}' `
      + `-f -a '${next === 'runs' ? RUNS : next.join(' ')}'`
  ))
  return '# Completion of hermes for fish. Into ~/.config/fish/completions/hermes.fish: '
    + `hermes completion fish\n${[FUNCTIONS, ...lines, ...places, BY_NPX].join('\n')}\n`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
