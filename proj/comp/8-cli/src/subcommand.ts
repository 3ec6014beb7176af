import { usageError, type Arguments } from './arguments.js'

/** Refuses flags that other subcommands take. @throws HermesError `INVALID_OPTION` */
export function requireOwnFlags(
  command: string, action: string, args: Arguments, takenBy: Readonly<Record<string, readonly string[]>>, and = ', ',
): void {
  for (const [flag, actions] of Object.entries(takenBy)) {
    if (!args.has(flag) || actions.includes(action)) continue
    throw usageError(`${command} ${action} takes no --${flag}`, `--${flag} is for ${command} ${actions.join(and)}.`)
  }
}
