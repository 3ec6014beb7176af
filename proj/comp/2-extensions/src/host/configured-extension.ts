import { StringDecoder } from 'node:string_decoder'
import { shownOwnFile, userExtensions, type ConfiguredExtension } from '../../../2-config/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { distrust, trustedEnvironment } from '../../../2-processes/src/index.js'
import { didYouMean, escapeControls, usageError } from '../../../0-text/src/index.js'
import type { ExtensionHostOptions } from './extension-host.js'
import type { Message } from './message.js'
import type { ExtensionUi } from './ui-port.js'

export interface ExtensionSession {
  root: string
  message: Message
  ui: ExtensionUi
  /** Called with its standard error output as it comes. */
  onLog?: ((text: string) => void) | undefined
}

/**
 * The extension of this name in the user's config.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_POLICY`
 */
export async function configuredExtension(name: string): Promise<ConfiguredExtension> {
  const known = await userExtensions()
  const extension = known.find(other => other.name === name)
  if (extension) return extension
  const names = known.map(each => each.name)
  const list = names.length === 0
    ? `There are none: name them below extensions: in ${shownOwnFile()}, or run one with hermes ext run -- COMMAND.`
    : `Extensions: ${names.join(', ')}.`
  throw usageError(`Unknown extension: ${name}`, `${didYouMean(name, names)}${list}`)
}

/** Options to start an extension here: in the root, with the user's environment plus that of the config. */
export function hostOptions(
  { name, command, env, mostMemoryBytes }: ConfiguredExtension, { root, message, ui, onLog }: ExtensionSession,
): ExtensionHostOptions {
  // Models write in the root, so no program is taken from there.
  distrust([root])
  // A character may be split between two pieces.
  const decoder = new StringDecoder('utf8')
  return {
    name, command, root, cwd: root, message, ui, mostMemoryBytes,
    env: { ...trustedEnvironment(process.env), ...env },
    onLog: onLog && (piece => onLog(escapeControls(decoder.write(piece), true))),
  }
}

/**
 * The command of an extension that has only one.
 *
 * @param prefix what precedes the name in a call
 */
export function onlyCommand(name: string, commands: readonly string[] | undefined, prefix: string): string {
  const [only] = commands ?? []
  if (only !== undefined && commands?.length === 1) return only
  const list = commands === undefined ? '' : ` Commands: ${commands.join(', ')}.`
  throw usageError(`Extension ${name} needs the name of a command`, `Write ${prefix}${name}:COMMAND.${list}`)
}

/** The error for a command that reported a failure. */
export function commandFailure(
  name: string, command: string, message: string | undefined, hint: string,
): HermesError {
  return new HermesError(
    'EXTENSION_FAILED', `Extension '${name}' failed at ${command}${message === undefined ? '' : `: ${message}`}`,
    { hint },
  )
}
