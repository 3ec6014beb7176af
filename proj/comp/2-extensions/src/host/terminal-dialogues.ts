import { join, resolve, sep } from 'node:path'
import { HermesError, isNodeError, Turns } from '../../../0-contracts/src/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import {
  EXTENSION_ERRORS, type ExtensionRequests, type OpenFileParams, type OpenWindowParams, type SaveFileParams,
  type ShowConfirmParams, type ShowMessageParams, type UiMethod,
} from '../kit/index.js'
import { modelWords } from '../../../0-text/src/index.js'
import { openInBrowser } from '../../../2-processes/src/index.js'
import { servePage, type ServedPage } from './page-server.js'
import type { ExtensionUi, UiContext } from './ui-port.js'
import { suggestPaths, type PathQuestion } from './path-suggestions.js'

type Asking = UiContext & { terminal: DialogueTerminal; discard: () => Promise<void> }
type Clack = typeof import('@clack/prompts')
type Results = { [Method in UiMethod]: ExtensionRequests[Method]['result'] }
/** Number of suggestions visible below a path. */
const SHOWN = 8

/** What dialogues need of the user's terminal. */
export interface DialogueTerminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  print: (text: string) => void
  /**
   * Runs code that reads keys; Ctrl-C interrupts. `discard`, called right before a question is drawn, drops input typed
   * before, which must not answer it.
   */
  withKeys: <Value>(
    input: NodeJS.ReadStream, task: (discard: () => Promise<void>) => Promise<Value>,
  ) => Promise<Value>
}

/** Text of an extension, marked line by line so that it cannot imitate hermes. */
export function extensionWords(
  extension: string, { message, title, kind = 'info' }: ShowMessageParams, width: number,
): string {
  const how = kind === 'info' ? 'says' : kind === 'warning' ? 'warns' : 'reports an error'
  return `Extension ${extension} ${how}:\n${quoted(message, title, width)}`
}

function quoted(message: string, title: string | undefined, width: number): string {
  return `${title === undefined ? '' : modelWords(title, width)}${modelWords(message, width)}`
}

/** The user at a terminal: one dialogue at a time, in order. */
export class TerminalDialogues implements ExtensionUi {
  readonly #pages = new Map<string, ServedPage | undefined>()
  #windows = 0
  readonly #turns = new Turns()

  constructor(private readonly terminal: DialogueTerminal) {}

  async request<Method extends UiMethod>(
    method: Method, params: ExtensionRequests[Method]['params'], context: UiContext,
  ): Promise<ExtensionRequests[Method]['result']> {
    return await this.#turns.take(async () => {
      if (context.signal.aborted) throw cancelled()
      return this.#show(method, params, context)
    }) as Results[Method]
  }

  async close(): Promise<void> {
    const pages = [...this.#pages.values()]
    this.#pages.clear()
    await Promise.all(pages.map(async page => page?.close()))
  }

  async #show(method: UiMethod, params: object, context: UiContext): Promise<Results[UiMethod]> {
    switch (method) {
      case 'ui/showMessage':
        this.terminal.print(extensionWords(context.extension, params as ShowMessageParams, columns(this.terminal)))
        return { acknowledged: true }
      case 'ui/closeWindow': return { success: await this.#closeWindow(params as { windowId: string }) }
      default: return this.terminal.withKeys(
        this.terminal.input,
        async discard => this.#ask(method, params, { ...context, terminal: this.terminal, discard }),
      )
    }
  }

  async #ask(
    method: Exclude<UiMethod, 'ui/showMessage' | 'ui/closeWindow'>, params: object, context: Asking,
  ): Promise<Results[UiMethod]> {
    switch (method) {
      case 'ui/showConfirm': return { confirmed: await confirm(params as ShowConfirmParams, context) }
      case 'ui/openFile': return {
        path: await askPath('Open a file', { kind: 'file' }, params as OpenFileParams, context),
      }
      case 'ui/saveFile': return { path: await askPath('Save as', { kind: 'save' }, params as SaveFileParams, context) }
      case 'ui/selectDirectory':
        return { path: await askPath('Choose a directory', { kind: 'directory' }, params as OpenFileParams, context) }
      case 'ui/openFiles': return { paths: await askPaths(params as OpenFileParams, context) }
      case 'ui/openWindow': return { windowId: await this.#open(params as OpenWindowParams, context) }
    }
  }

  async #open({ url, html, title }: OpenWindowParams, context: Asking): Promise<string> {
    const target = url ?? `a page of ${html?.length ?? 0} characters${title === undefined ? '' : `: ${title}`}`
    if (!await confirm({ message: target, title: 'Open this in your browser?' }, context)) {
      throw new RpcError(EXTENSION_ERRORS.windowError, 'The user did not want the window')
    }
    const id = `w${++this.#windows}`
    const page = html === undefined ? undefined
      : await servePage(html, data => context.onWindowMessage({ windowId: id, data }))
    this.#pages.set(id, page)
    try {
      // Does not wait for the browser.
      await openInBrowser(page?.url ?? url ?? '')
    } catch (error) {
      // The page will not be fetched.
      this.#pages.delete(id)
      void page?.close()
      if (!isNodeError(error)) throw error
      throw new RpcError(
        EXTENSION_ERRORS.windowError,
        `No window was opened: ${error.path ?? 'the program'} `
          + `${error.code === 'ENOENT' ? 'is not installed' : 'cannot be started'}`,
      )
    }
    return id
  }

  /** The browser keeps the page open. */
  async #closeWindow({ windowId }: { windowId: string }): Promise<boolean> {
    const page = this.#pages.get(windowId)
    this.#pages.delete(windowId)
    await page?.close()
    return false
  }
}

async function confirm(
  { message, title, buttons }: ShowConfirmParams, { extension, signal, terminal, discard }: Asking,
): Promise<boolean> {
  const clack = await import('@clack/prompts')
  terminal.print(`Extension ${extension} asks:\n${quoted(message, title, columns(terminal))}`)
  const [active, inactive] = buttons === 'okCancel' ? ['OK', 'Cancel'] : ['Yes', 'No']
  await discard()
  const answer = await clack.confirm({
    ...streams(terminal, signal), message: 'Your answer', active, inactive, initialValue: false,
  })
  return picked<boolean>(clack, answer, signal) ?? false
}

async function askPaths(params: OpenFileParams, context: Asking): Promise<string[] | null> {
  const paths = new Set<string>()
  for (;;) {
    const path = await askPath(
      paths.size === 0 ? 'Open files' : 'Another file (Escape: no more)', { kind: 'file' }, params, context,
    )
    if (path === null) return paths.size === 0 ? null : [...paths]
    paths.add(path)
  }
}

async function askPath(
  what: string, question: Pick<PathQuestion, 'kind'>, params: SaveFileParams,
  { extension, root, signal, terminal, discard }: Asking,
): Promise<string | null> {
  const clack = await import('@clack/prompts')
  if (params.title !== undefined) {
    terminal.print(`Extension ${extension} asks:\n${quoted(params.title, undefined, columns(terminal))}`)
  }
  const asked = { ...question, filters: params.filters, root }
  let input = join(resolve(root, params.defaultPath ?? '.'), sep, params.defaultName ?? '')
  for (;;) {
    await discard()
    const chosen = picked<string>(clack, await clack.autocomplete<string>({
      ...streams(terminal, signal),
      message: `${what} for extension ${extension}`,
      initialUserInput: input,
      maxItems: SHOWN,
      completeOnTab: true,
      filter: () => true,
      validate: value => (value === undefined ? 'There is nothing of this name' : undefined),
      options() {
        return suggestPaths(this.userInput, asked)
      },
    }), signal)
    if (chosen === undefined) return null
    // A directory: continue with its entries.
    if (!chosen.endsWith(sep) || chosen === sep) return resolve(root, chosen)
    input = chosen
  }
}

/**
 * `undefined`: the user closed the dialogue.
 *
 * @throws HermesError `CANCELLED`
 */
function picked<Value>(clack: Clack, answer: Value | symbol, signal: AbortSignal): Value | undefined {
  if (signal.aborted) throw cancelled()
  return clack.isCancel(answer) ? undefined : answer as Value
}

function cancelled(): HermesError {
  return new HermesError('CANCELLED', 'The dialogue was cancelled')
}

function streams({ input, output }: DialogueTerminal, signal: AbortSignal) {
  return { input, output, signal }
}

function columns({ output }: DialogueTerminal): number {
  return output.columns || 80
}
