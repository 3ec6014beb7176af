import type { ConfiguredExtension } from '../../../2-config/src/index.js'
import { commandFailure, hostOptions, onlyCommand } from './configured-extension.js'
import { Message, type MessageSource } from './message.js'
import type { ExtensionUi } from './ui-port.js'
import { withExtension } from './with-extension.js'

/** An extension's own time for its command, unless somebody says otherwise. */
const LIMIT_MS = 60_000

export interface RewriteOptions extends Pick<MessageSource, 'editFormats' | 'startsInThink' | 'filePath'> {
  root: string
  /** Who answers its dialogues. */
  ui: ExtensionUi
  limitMs?: number | undefined
  signal: AbortSignal
  /** Told of what one did wrong though it works, one line each. */
  warn: (line: string) => void
  /** Told what each says that it did. */
  tell?: (line: string) => void
  /** What stands before `NAME:COMMAND` in a call, for hints. */
  prefix: string
  /** What to do where one fails. */
  hint: string
}

/**
 * A text as extensions of the user's config leave it, one after the other.
 *
 * @param wanted `NAME:COMMAND`, or `NAME` of one that has a single command
 * @param find what has a name; all are looked up before one is started
 * @throws HermesError where one is not there or fails: then nothing is to run
 */
export async function rewriteByExtensions(
  text: string, wanted: readonly string[], find: (name: string) => Promise<ConfiguredExtension>,
  { root, ui, editFormats, startsInThink, filePath, limitMs = LIMIT_MS, signal, ...options }: RewriteOptions,
): Promise<string> {
  const steps = await Promise.all(wanted.map(async (written) => {
    const [, name = written, command] = /^([^:]*):(.*)$/s.exec(written) ?? []
    return { extension: await find(name), command }
  }))
  let current = text
  for (const { extension, command } of steps) {
    const { name } = extension
    const message = new Message({
      text: current, editFormats, startsInThink, ...(filePath !== undefined && { filePath }),
    })
    await withExtension(hostOptions(extension, { root, message, ui }), signal, options.warn, async (host) => {
      const chosen = command ?? onlyCommand(name, host.introduction.capabilities?.commands, options.prefix)
      const { success, message: said } = await host.execute(chosen, { limitMs, signal, quietAfter: 'changes' })
      if (!success) throw commandFailure(name, chosen, said, options.hint)
      options.tell?.(`extension ${name}: `
        + `${said ?? (message.isChanged ? 'changed the text' : 'left the text as it was')}`)
    })
    current = message.text
  }
  return current
}
