import { flagWords, positionals, valuesOf, type CompletionTable, type Values } from './completion-table.js'

/**
 * Completion for PowerShell's `$PROFILE`; not tested there. PowerShell allows one completer for each command, so that
 * of npx is left to npm. Where the table has no values, files are completed.
 */
export function powershellCompletion(table: CompletionTable): string {
  const { commands } = table
  const flags = commands.map(({ name, flags: all }) => row(name, flagWords(all)))
  const values = commands.flatMap(({ name, flags: all }) => all.flatMap((flag) => (
    flagWords([flag]).flatMap((word) => row(`${name} ${word}`, valuesOf(flag)))
  )))
  const places = Object.entries(positionals(table)).flatMap(([words, next]) => row(words, next))
  return `# Completion of hermes for PowerShell. In $PROFILE: hermes completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hermes -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = ${list(commands.map(({ name }) => name))}
  $flags = @{
${flags.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $places = @{
${places.join('\n')}
  }
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $words = @()
  foreach ($word in $before) {
    if ($word.StartsWith('-')) { break }
    $words += $word
  }
  $offered = @()
  if ($words.Count -eq 0) {
    $offered = $commands + '--help', '--version'
  } elseif ($values.ContainsKey("$($words[0]) $($before[-1])")) {
    $offered = $values["$($words[0]) $($before[-1])"]
  } elseif ("$wordToComplete".StartsWith('-')) {
    $offered = $flags[$words[0]]
  } elseif ($places.ContainsKey($words -join ' ')) {
    $offered = $places[$words -join ' ']
  }
  if ($offered -contains '<run>') {
    # The runs of --root, or of the working directory, by their journals.
    $root = '.'
    $at = [array]::IndexOf($before, '--root')
    if ($at -ge 0 -and $at + 1 -lt $before.Count) { $root = $before[$at + 1].Trim("'", '"') }
    $offered = @(Get-ChildItem -Directory -ErrorAction SilentlyContinue (Join-Path $root '.hermes/journal') |
      Where-Object { $_.Name -like '*Z-*' } | ForEach-Object { $_.Name })
  }
  $offered | Where-Object { "$_".StartsWith("$wordToComplete") } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}

/** A row of the table; none where files are completed, which PowerShell does itself. */
function row(key: string, values: Values): string[] {
  if (values === undefined || values === 'files' || values === 'directories') return []
  return [`    ${quoted(key)} = ${list(values === 'runs' ? ['<run>'] : values)}`]
}

function list(words: readonly string[]): string {
  return `@(${words.map(quoted).join(', ')})`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "''")}'`
}
