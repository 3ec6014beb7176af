import type { AvailableCommand } from '@agentclientprotocol/sdk'
import { SLASH_COMMANDS, slashLine } from '../../7-console/src/index.js'

/** Commands of the chat that an editor has of its own: sessions, and what is typed while an answer comes. */
const OF_EDITORS = new Set(['help', 'clear', 'resume', 'quit', 'steer'])

/** What may be written with a slash in place of a message. */
export const OFFERED_COMMANDS: readonly AvailableCommand[] = SLASH_COMMANDS
  .filter(({ name }) => !OF_EDITORS.has(name))
  .map(({ name, argument, help }) => ({
    name, description: help, ...(argument !== undefined && { input: { hint: argument.replace(/^\[|\]$/g, '') } }),
  }))

/** The command that a message is; `undefined` for what is said to the model, paths among them. */
export function offeredCommand(message: string): { name: string; argument: string } | undefined {
  const line = slashLine(message)
  if (line === undefined || !('command' in line)) return undefined
  const { command: { name }, argument } = line
  return OFFERED_COMMANDS.some((availableCommand) => availableCommand.name === name) ? { name, argument } : undefined
}
