import { resolve } from 'node:path'
import { Message, withExtension } from '../../extension-host/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import type { ApplyOptions } from './apply-options.js'
import {
  canonicalRoot, commandFailure, configuredExtension, extensionTimeout, hostOptions, warn,
} from './extension-session.js'
import { extensionUi } from './extension-ui.js'
import type { Interrupt } from './interrupt.js'
import { isStdin } from './read-input.js'

const DEFAULT_MS = 60_000

/**
 * The text of an answer as the extensions of `--extension` leave it, one after the other.
 *
 * @throws HermesError where one of them fails: then nothing is to run; not when it was interrupted
 */
export async function rewritten(
  args: Arguments, text: string, { editFormats, startsInThink }: ApplyOptions, interrupt: Interrupt,
): Promise<string> {
  const [file] = args.positionals
  const usesStdin = isStdin(file)
  const root = canonicalRoot(args)
  const limitMs = extensionTimeout(args) ?? DEFAULT_MS
  // All are looked up before one is started.
  const wanted = await Promise.all(args.values('extension').map(async written => {
    const [, name = written, command] = /^([^:]*):(.*)$/s.exec(written) ?? []
    return { extension: await configuredExtension(name), command }
  }))
  const ui = extensionUi({ answers: args.value('answers'), usesStdin })
  let current = text
  try {
    for (const { extension, command } of wanted) {
      const message = new Message({
        text: current, editFormats, startsInThink, ...(!usesStdin && { filePath: resolve(file) }),
      })
      await interrupt.during(async () => withExtension(
        hostOptions(extension, { root, message, ui }), interrupt.signal, warn,
        async host => {
          const chosen = command ?? onlyCommand(extension.name, host.introduction.capabilities?.commands)
          const { success, message: said } = await host.execute(chosen, {
            limitMs, signal: interrupt.signal, quietAfter: 'changes',
          })
          if (!success) throw commandFailure(extension.name, chosen, said)
          warn(`extension ${extension.name}: `
            + `${said ?? (message.isChanged ? 'changed the text' : 'left the text as it was')}`)
        },
      ))
      current = message.text
    }
  } catch (error) {
    // What the signal ended is no failure of its own.
    if (interrupt.exitCode === undefined) throw error
  }
  return current
}

function onlyCommand(name: string, commands: readonly string[] | undefined): string {
  const [only] = commands ?? []
  if (only !== undefined && commands?.length === 1) return only
  const list = commands === undefined ? '' : ` Commands: ${commands.join(', ')}.`
  throw usageError(`Extension ${name} needs the name of a command`, `Write --extension ${name}:COMMAND.${list}`)
}
