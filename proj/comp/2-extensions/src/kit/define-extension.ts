import { Console } from 'node:console'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord, tracked } from '../../../0-contracts/src/index.js'
import { connect, RpcError, type Connection } from '../../../2-wire/src/index.js'
import { editorOf, uiOf, type Ask, type Editor, type Ui } from './clients.js'
import type {
  CommandExecuteParams, CommandFinishedParams, InitializeResult, WindowMessageParams,
} from './extension-protocol.js'
import { RequestError } from './request-error.js'
import { carryOut, describeVerbs, filesOf, type AskFiles, type VerbOfExtension } from './verb-kit.js'
import type { VerbExecuteParams } from './verb-protocol.js'
import { WindowMessages } from './window-messages.js'

/** Context of a command. */
export interface CommandContext {
  editor: Editor
  ui: Ui
  /** Working directory of hermes, absolute. */
  root: string
  /** Aborted when hermes exits, or asks the extension to exit. */
  signal: AbortSignal
}

/** @returns one line for the user, or nothing; what it throws is reported to the user as a failure */
export type CommandHandler = (context: CommandContext) => Promise<string | void> | string | void

/** What an extension is: its name, commands and verbs, for `defineExtension`. */
export interface ExtensionDefinition {
  name: string
  version?: string
  description?: string
  /** By the name that the user gives. Default: none. */
  commands?: Readonly<Record<string, CommandHandler>>
  /** By the name in the user's config, which models use. Default: none. */
  verbs?: Readonly<Record<string, VerbOfExtension>>
  /** Called before the extension exits, to release resources. */
  shutdown?: () => Promise<void> | void
}

/** Time for commands to finish once hermes asks the extension to exit, in milliseconds; hermes waits 5 s. */
const FINISH_MS = 3000

/**
 * Runs an extension over standard input and output. Redirects `console` to standard error, since standard output
 * carries the protocol. The process exits when hermes asks for it or is gone.
 */
export function defineExtension(definition: ExtensionDefinition): void {
  globalThis.console = new Console(process.stderr, process.stderr)
  const running = new Set<Promise<void>>()
  const ending = new AbortController()
  const windows = new WindowMessages()
  let root = ''

  const connection: Connection = connect({
    input: process.stdin,
    output: process.stdout,
    methods: {
      requests: {
        initialize(params) {
          root = isRecord(params) && typeof params['root'] === 'string' ? params['root'] : process.cwd()
          return introduction(definition)
        },
        async 'verb/execute'(params, { signal }) {
          const call = params as VerbExecuteParams
          return carryOut(definition.verbs ?? {}, call, {
            ...context, root, files: filesOf(call.executionId, ask), dryRun: call.dryRun,
            signal: AbortSignal.any([signal, ending.signal]),
          }).catch((error: unknown) => {
            throw error instanceof RequestError ? new RpcError(error.code, error.message, error.data) : error
          })
        },
        async shutdown() {
          ending.abort()
          await Promise.race([Promise.allSettled(running), sleep(FINISH_MS, undefined, { ref: false })])
          await definition.shutdown?.()
          // Send the answer first.
          setImmediate(() => void connection.flushed().then(() => connection.close()))
          return { success: true }
        },
      },
      notifications: {
        'command/execute': (params) => void tracked(running, execute(params as CommandExecuteParams)),
        'ui/windowMessage': params => windows.add(params as WindowMessageParams),
      },
    },
  })
  const ask = (async (method: string, params: object) => connection.request(method, params).catch((error: unknown) => {
    throw error instanceof RpcError ? new RequestError(error.code, error.message, error.data) : error
  })) as Ask & AskFiles
  const context: CommandContext = {
    editor: editorOf(ask), signal: ending.signal,
    ui: uiOf(ask, async windowId => windows.next(windowId, ending.signal)),
    get root() {
      return root
    },
  }

  const execute = async ({ command, executionId }: CommandExecuteParams): Promise<void> => {
    const finished: CommandFinishedParams = { executionId, ...await outcomeOf(definition, command, context) }
    if (!connection.isClosed) await connection.notify('command/finished', finished)
  }
  const ended = async (): Promise<void> => {
    await connection.closed
    // Without a prior request hermes is gone, and nothing else would end this process.
    const isAlone = !ending.signal.aborted
    ending.abort()
    if (isAlone) await definition.shutdown?.()
    process.exit(isAlone ? 1 : 0)
  }
  ended().catch((error: unknown) => {
    report(error)
    process.exit(1)
  })
}

function introduction(
  { name, version, description, commands = {}, verbs }: ExtensionDefinition,
): InitializeResult {
  return {
    name, ...(version !== undefined && { version }), ...(description !== undefined && { description }),
    capabilities: {
      commands: Object.keys(commands), commandFinished: true, ...(verbs && { verbs: describeVerbs(verbs) }),
    },
  }
}

async function outcomeOf(
  { commands = {} }: ExtensionDefinition, command: string, context: CommandContext,
): Promise<Omit<CommandFinishedParams, 'executionId'>> {
  const handler = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!handler) return { success: false, message: `Unknown command: ${command}` }
  try {
    const message = await handler(context)
    return { success: true, ...(typeof message === 'string' && { message }) }
  } catch (error) {
    report(error)
    return { success: false, message: error instanceof Error ? error.message : String(error) }
  }
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack ?? error.message : String(error)}\n`)
}
