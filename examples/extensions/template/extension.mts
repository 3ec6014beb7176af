/**
 * my-extension: an extension of hermes. What a command returns is shown to the user, and so is what it throws;
 * `console` writes to standard error, since standard output belongs to the protocol (hermes help extensions).
 */
import { defineExtension, type CommandContext } from 'hermes/extension'

defineExtension({ name: 'my-extension', version: '0.1.0', commands: { check, strip } })

/** Looks at the answer of the model and changes nothing. */
async function check({ editor }: CommandContext): Promise<string> {
  const { blocks, errors } = await editor.getBlocks()
  return `${blocks.length} blocks can be read, ${errors.length} errors`
}

/** Changes the answer: takes spaces away at the ends of its lines. */
async function strip({ editor }: CommandContext): Promise<string> {
  const { message, revision } = await editor.getMessage()
  const text = message.replaceAll(/[ \t]+$/gm, '')
  if (text === message) return 'nothing to strip'
  // With the revision nothing is done where the answer was changed meanwhile.
  await editor.setMessage(text, { revision })
  return 'stripped'
}
