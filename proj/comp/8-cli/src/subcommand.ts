import type { HermesError } from '../../0-contracts/src/index.js'
import { didYouMean, usageError, type Arguments } from './arguments.js'

/** What is said of a subcommand that there is not. */
export function unknownSubcommand(
  command: string, action: string, actions: readonly string[], usage = `Subcommands: ${actions.join(', ')}.`,
): HermesError {
  return usageError(`Unknown subcommand: ${command} ${action}`, `${didYouMean(action, actions)}${usage}`)
}

/** Refuses flags that other subcommands take. @throws HermesError `INVALID_OPTION` */
export function requireOwnFlags(
  command: string, action: string, args: Arguments, takenBy: Readonly<Record<string, readonly string[]>>, and = ', ',
): void {
  for (const [flag, actions] of Object.entries(takenBy)) {
    if (!args.has(flag) || actions.includes(action)) continue
    throw usageError(`${command} ${action} takes no --${flag}`, `--${flag} is for ${command} ${actions.join(and)}.`)
  }
}
