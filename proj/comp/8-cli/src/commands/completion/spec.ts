import type { CommandSpec } from '../../command.js'

export const command: CommandSpec = {
  name: 'completion',
  summary: 'Print a script that completes commands, flags and names in a shell',
  usage: ['completion bash|zsh|fish|powershell'],
  about: `
  bash: source <(hermes completion bash) in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: write it to
  ~/.config/fish/completions/hermes.fish. PowerShell (not tried): hermes completion powershell | Out-String |
  Invoke-Expression in $PROFILE. In bash, zsh and fish it completes npx hermes too, and nothing else of npx.
  `,
  maxPositionals: 1,
  flags: [],
  example: { line: 'source <(hermes completion bash)', does: 'completes hermes in this shell' },
  exits: [[0, 'done'], [2, 'wrong usage']],
  load: async () => (await import('./run.js')).completion,
}
