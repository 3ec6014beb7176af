import { flagWords, positionals, valuesOf, type CompletionTable } from './completion-table.js'

/** Completion for `~/.bashrc`. Pressing Tab starts no program. */
export function bashCompletion(table: CompletionTable): string {
  const { commands } = table
  const flags = commands.map(({ name, flags: all }) => `    ${name}) flags='${flagWords(all).join(' ')}' ;;`)
  const values = commands.flatMap(({ name, flags: all }) => all.flatMap((flag) => {
    const offered = valuesOf(flag)
    if (offered === undefined || offered === 'files') return []
    const words = offered === 'runs' ? '_hermes_runs' : offered === 'directories'
      ? 'mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames 2> /dev/null'
      : offering(offered)
    return [`    '${name} --${flag.name}') ${words}; return ;;`]
  }))
  const takesFile = commands.flatMap(({ name, flags: all }) =>
    all.filter((flag) => valuesOf(flag) === 'files').map((flag) => `'${name} --${flag.name}'`))
  const places = Object.entries(positionals(table))
    .map(([words, next]) => `    '${words}') ${next === 'runs' ? '_hermes_runs' : offering(next)} ;;`)
  return `# Completion of hermes for bash. In ~/.bashrc: source <(hermes completion bash)
# A name a line: names have spaces. Only where bash itself completes can it be told to quote them.
_hermes_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  compopt -o filenames 2> /dev/null
}
# The runs of --root, or of the working directory, by their journals.
_hermes_runs() {
  local root=. ids= run i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == --root ]] || continue
    root=\${COMP_WORDS[i+1]}
    [[ $root == = ]] && root=\${COMP_WORDS[i+2]}
  done
  for run in "\${root/#\\~/$HOME}"/.hermes/journal/*Z-*/; do
    run=\${run%/}
    [[ $run == *'*' ]] || ids+=" \${run##*/}"
  done
  COMPREPLY=($(compgen -W "$ids" -- "$cur"))
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
# npx hermes: all else of npx stays as it is completed without this.
_hermes_npx() {
  if ((COMP_CWORD > 1)) && [[ \${COMP_WORDS[1]} == hermes ]]; then
    COMP_WORDS=("\${COMP_WORDS[@]:1}")
    COMP_CWORD=$((COMP_CWORD - 1))
    _hermes
  elif [[ -n $_hermes_npx_before ]]; then
    "$_hermes_npx_before" "$@"
  fi
}
_hermes_npx_spec=$(complete -p npx 2> /dev/null)
if [[ $_hermes_npx_spec == *' -F '* ]]; then
  # Not that of this script, where it is read again.
  if [[ $_hermes_npx_spec != *' -F _hermes_npx '* ]]; then
    _hermes_npx_before=\${_hermes_npx_spec##* -F }
    _hermes_npx_before=\${_hermes_npx_before%% *}
    eval "\${_hermes_npx_spec/-F $_hermes_npx_before/-F _hermes_npx}"
  fi
elif [[ -z $_hermes_npx_spec ]]; then
  _hermes_npx_before=
  complete -o default -F _hermes_npx npx
fi
unset _hermes_npx_spec
`
}

function offering(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`
}
