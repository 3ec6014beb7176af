import { realpathSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { userExtensions, type ConfiguredExtension } from '../../config/src/index.js'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import type { ExtensionHostOptions, ExtensionUi, Message } from '../../extension-host/src/index.js'
import { distrust, ownEnvironment } from '../../launcher/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import { didYouMean, usageError, type Arguments } from './arguments.js'
import { printError } from './output.js'

/** Longer waits than a timer of Node can hold would end at once. */
const MAX_SECONDS = 2_147_483

export interface ExtensionSession {
  root: string
  message: Message
  ui: ExtensionUi
  /** Its log is shown as it comes. */
  showsLog?: boolean
}

/** An extension of the user's config. @throws HermesError `INVALID_OPTION`, `INVALID_POLICY` */
export async function configuredExtension(name: string): Promise<ConfiguredExtension> {
  const known = await userExtensions()
  const found = known.find(one => one.name === name)
  if (found) return found
  const names = known.map(one => one.name)
  const list = names.length === 0
    ? 'There are none: name them below extensions: in ~/.hermes/config.yaml, or run one with hermes ext run -- COMMAND.'
    : `Extensions: ${names.join(', ')}.`
  throw usageError(`Unknown extension: ${name}`, `${didYouMean(name, names)}${list}`)
}

/** How an extension is started here: in the root, with the user's environment, and what the config adds. */
export function hostOptions(
  { name, command, env }: ConfiguredExtension, { root, message, ui, showsLog = false }: ExtensionSession,
): ExtensionHostOptions {
  // Models write in the root: no program of that name is taken from there.
  distrust([root])
  // A character may come in two pieces.
  const decoder = new StringDecoder('utf8')
  return {
    name, command, root, cwd: root, message, ui,
    env: ownEnvironment(env),
    onLog: showsLog ? piece => printError(escapeControls(decoder.write(piece), true)) : undefined,
  }
}

/** @throws HermesError `INVALID_OPTION` */
export function canonicalRoot(args: Arguments): string {
  const root = args.value('root') ?? process.cwd()
  try {
    return realpathSync.native(root)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw usageError(`No such directory: ${root}`, '--root names the directory to work in.')
  }
}

/** The value of `--ext-timeout` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function extensionTimeout(args: Arguments): number | undefined {
  const written = args.value('ext-timeout')
  if (written === undefined) return undefined
  const seconds = /^\d*\.?\d+$/.test(written) ? Number(written) : NaN
  if (seconds >= 0.001 && seconds <= MAX_SECONDS) return Math.round(seconds * 1000)
  throw usageError(
    `Invalid time limit: ${written}`, `--ext-timeout is in seconds, e.g. 30 or 0.5; at most ${MAX_SECONDS}.`,
  )
}

export function warn(line: string): void {
  printError(`hermes: ${escapeControls(line)}\n`)
}

/** What a command that failed says of itself. */
export function commandFailure(name: string, command: string, message: string | undefined): HermesError {
  return new HermesError(
    'EXTENSION_FAILED', `Extension '${name}' failed at ${command}${message === undefined ? '' : `: ${message}`}`,
    { hint: 'Nothing was run. --log with hermes ext run shows what it writes to standard error.' },
  )
}
