import type { InitializeResult } from '../kit/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { CommandOutcome } from './command-run.js'
import type { Message } from './message.js'

/** What came of a command of an extension, as far as one was run. */
export interface ExtensionRun {
  command: string | undefined
  outcome: CommandOutcome | undefined
  message: Message
  warnings: readonly string[]
  hasText: boolean
}

/** What an extension says of itself, for people. */
export function describeExtension(
  { name, version, description, capabilities }: InitializeResult, called: string,
): string {
  const title = [name ?? called, version].filter(part => part !== undefined).join(' ')
  const { commands, verbs = [] } = capabilities ?? {}
  const brought = verbs.map((verb) => `verb ${verb.name}: ${escapeControls(verb.description)}\n`).join('')
  return `${escapeControls(description === undefined ? title : `${title}: ${description}`)}\n`
    + `commands: ${commands === undefined ? 'it does not say' : escapeControls(commands.join(', ')) || 'none'}\n`
    + brought
}

/** The same as data. */
export function extensionDocument(
  introduction: InitializeResult, called: string, { command, outcome, message, warnings, hasText }: ExtensionRun,
) {
  const { name = called, version, description, capabilities } = introduction
  return {
    extension: { name, version, description, commands: capabilities?.commands, verbs: capabilities?.verbs },
    ...(outcome && { command, ...outcome }),
    ...(hasText && { text: message.text, changed: message.isChanged }),
    warnings,
  }
}
