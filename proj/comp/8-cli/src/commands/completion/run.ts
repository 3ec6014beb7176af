import { ALL_CODES } from '../../../../0-contracts/src/index.js'
import { settingNames } from '../../../../2-config/src/index.js'
import { VERBS } from '../../../../5-executor/src/index.js'
import {
  TOPICS, bashCompletion, fishCompletion, powershellCompletion, zshCompletion, type CompletionTable,
} from '../../../../7-setup/src/index.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { EXIT, printRaw } from '../../io/output.js'

const SHELLS: Readonly<Record<string, (table: CompletionTable) => string>> = {
  bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion, powershell: powershellCompletion,
}

/** `hermes completion SHELL`: a script for the shell to read, made of the table of commands. */
export async function completion(args: Arguments, { commands }: Program): Promise<number> {
  const [shell = ''] = args.positionals
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (!write) {
    const names = Object.keys(SHELLS)
    throw usageError(
      shell === '' ? 'completion: no shell given' : `Unknown shell: ${shell}`,
      `${didYouMean(shell, names)}Shells: ${names.join(', ')}.`,
    )
  }
  printRaw(write({
    commands, verbs: VERBS.map(({ name }) => name), topics: TOPICS.map(({ name }) => name), codes: ALL_CODES,
    settings: settingNames(),
  }))
  return EXIT.ok
}
