import type { Flag } from '../help-texts/index.js'
import { positionals, quoted, valuesOf, type CompletionTable, type Values } from './completion-table.js'

/** Completion for `~/.zshrc`. Pressing Tab starts no program. */
export function zshCompletion(table: CompletionTable): string {
  const places = positionals(table)
  const cases = table.commands.map(({ name, flags }) => {
    const specs = flags.map((flag) => `      ${zshFlag(flag)}`)
    const words = places[name]
    const first = words === undefined ? "'1:file:_files'" : `'1:word:${offered(words)}'`
    const second = ['tools show', 'config get'].filter((two) => two.startsWith(`${name} `))
      .map((two) => `'2:name:${offered(places[two] ?? [])}'`)
    const rows = [...specs, `      ${first}`, ...second.map((row) => `      ${row}`), "      '*:file:_files'"]
    return `    ${name})\n    _arguments \\\n${rows.join(' \\\n')}\n    ;;`
  })
  return `#compdef hermes
# Completion of hermes for zsh. In ~/.zshrc, after compinit: source <(hermes completion zsh)
# The runs of --root, or of the working directory, by their journals.
_hermes_runs() {
  local root=\${opt_args[--root]:-.}
  local -a runs=(\${~root}/.hermes/journal/*Z-*(N/On:t))
  compadd -V runs -a runs
}
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
# npx hermes: all else of npx stays as it is completed without this.
_hermes_npx() {
  if (( CURRENT > 2 )) && [[ $words[2] == hermes ]]; then
    shift words
    (( CURRENT-- ))
    _hermes
  else
    eval "\${_hermes_npx_before:-_default}"
  fi
}
[[ \${_comps[npx]:-} == _hermes_npx ]] || typeset -g _hermes_npx_before=\${_comps[npx]:-}
compdef _hermes_npx npx
`
}

function zshFlag(flag: Flag): string {
  const values = valuesOf(flag)
  const action = values === undefined ? '' : `:${flag.value?.replaceAll(/[:[\]|]/g, ' ')}:${offered(values)}`
  const help = flag.help.replaceAll(/[[\]\\:]/g, '\\$&')
  return quoted(
    `${flag.repeatable === true ? '*' : ''}--${flag.name}${flag.value === undefined ? '' : '='}[${help}]${action}`,
  )
}

function offered(values: Exclude<Values, undefined>): string {
  if (values === 'files') return '_files'
  if (values === 'directories') return '_files -/'
  return values === 'runs' ? '_hermes_runs' : `(${values.join(' ')})`
}
