import type { Completion } from '../../../2-terminal/src/index.js'

/** A line that begins with a slash. */
export interface SlashCommand {
  name: string
  /** What may follow, for `/help`. */
  argument?: string
  help: string
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', help: 'Show the commands and keys' },
  { name: 'clear', help: 'Begin a new conversation' },
  { name: 'diff', argument: '[N|all]', help: 'Show what was changed since your last message, message N, or at all' },
  { name: 'undo', argument: '[PATH]', help: 'Take back your last message and its changes, or one change of a file' },
  { name: 'commit', argument: '[MESSAGE]', help: 'Make one commit of what this conversation changed' },
  { name: 'compact', help: 'Make the conversation shorter: old outputs go, older messages become a summary' },
  { name: 'cost', help: 'Show the requests and tokens of this conversation, and the cost where prices are set' },
  { name: 'steer', argument: '[TEXT]', help: 'Tell the model at its next call, not after its answer; or what waits' },
  { name: 'tools', help: 'List what the model may call' },
  { name: 'save', argument: '[FILE]', help: 'Keep the conversation as a line of ShareGPT training data' },
  { name: 'model', argument: '[NAME [API]]', help: 'Show the model, or take another; API: chat, responses, anthropic' },
  { name: 'skills', help: 'List the skills the model may read' },
  { name: 'personality', argument: '[NAME]', help: 'List the personalities, or take one' },
  { name: 'resume', argument: '[ID]', help: 'List the conversations of this root, or go on with one' },
  { name: 'quit', help: 'Leave; the conversation is kept' },
]

export type SlashLine = { command: SlashCommand; argument: string } | { unknown: string }

/** Reads a line as a command; `undefined` if it is meant for the model, such as a path. */
export function slashLine(line: string): SlashLine | undefined {
  const [, name, argument = ''] = /^\/([a-z]+)(?:\s+([^]*))?$/i.exec(line.trim()) ?? []
  if (name === undefined) return undefined
  const command = SLASH_COMMANDS.find((slashCommand) =>
    slashCommand.name === name.toLowerCase() || (slashCommand.name === 'quit' && name === 'exit'))
  return command ? { command, argument: argument.trim() } : { unknown: name }
}

/** Completions of a typed text: the commands that begin with it. */
export function completed(text: string): Completion | undefined {
  if (!/^\/[a-z]*$/.test(text)) return undefined
  const commands = SLASH_COMMANDS.filter(({ name }) => name.startsWith(text.slice(1)))
    .map(({ name, argument }) => `/${name}${argument === undefined ? '' : ' '}`)
  return { hits: commands, part: text }
}
