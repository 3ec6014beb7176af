import { join, resolve, sep } from 'node:path'
import { HermesError } from '../../contracts/src/index.js'
import {
  openWindow, servePage, type ExtensionUi, type ServedPage, type UiContext,
} from '../../extension-host/src/index.js'
import { RpcError } from '../../json-rpc/src/index.js'
import {
  EXTENSION_ERRORS, type ExtensionRequests, type OpenFileParams, type OpenWindowParams, type SaveFileParams,
  type ShowConfirmParams, type ShowMessageParams, type UiMethod,
} from '../../extension-kit/src/index.js'
import { withKeys } from '../../line-editor/src/index.js'
import { modelWords } from './model-words.js'
import { printError } from './output.js'
import { suggestPaths, type PathQuestion } from './path-suggestions.js'

type Clack = typeof import('@clack/prompts')
type Results = { [Method in UiMethod]: ExtensionRequests[Method]['result'] }
/** Seen at once below a path. */
const SHOWN = 8

/** Prints what an extension says, marked line by line, so that it cannot be taken for hermes' words. */
export function printWords(
  extension: string, { message, title, kind = 'info' }: ShowMessageParams, width: number,
): void {
  const how = kind === 'info' ? 'says' : kind === 'warning' ? 'warns' : 'reports an error'
  printError(`Extension ${extension} ${how}:\n${quoted(message, title, width)}`)
}

function quoted(message: string, title: string | undefined, width: number): string {
  return `${title === undefined ? '' : modelWords(title, width)}${modelWords(message, width)}`
}

/** The user at a terminal: one dialogue at a time, in the order they came. */
export class TerminalDialogues implements ExtensionUi {
  readonly #pages = new Map<string, ServedPage | undefined>()
  #windows = 0
  #last: Promise<unknown> = Promise.resolve()

  async request<Method extends UiMethod>(
    method: Method, params: ExtensionRequests[Method]['params'], context: UiContext,
  ): Promise<ExtensionRequests[Method]['result']> {
    const before = this.#last
    const answer = before.then(async () => {
      if (context.signal.aborted) throw cancelled()
      return this.#show(method, params, context)
    })
    this.#last = answer.catch(() => undefined)
    return await answer as Results[Method]
  }

  async close(): Promise<void> {
    const pages = [...this.#pages.values()]
    this.#pages.clear()
    await Promise.all(pages.map(async page => page?.close()))
  }

  async #show(method: UiMethod, params: object, context: UiContext): Promise<Results[UiMethod]> {
    switch (method) {
      case 'ui/showMessage':
        printWords(context.extension, params as ShowMessageParams, columns())
        return { acknowledged: true }
      case 'ui/closeWindow': return { success: await this.#closeWindow(params as { windowId: string }) }
      default: return withKeys(process.stdin, async () => this.#ask(method, params, context))
    }
  }

  async #ask(
    method: Exclude<UiMethod, 'ui/showMessage' | 'ui/closeWindow'>, params: object, context: UiContext,
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

  async #open({ url, html, title }: OpenWindowParams, context: UiContext): Promise<string> {
    const target = url ?? `a page of ${html?.length ?? 0} characters${title === undefined ? '' : `: ${title}`}`
    if (!await confirm({ message: target, title: 'Open this in your browser?' }, context)) {
      throw new RpcError(EXTENSION_ERRORS.windowError, 'The user did not want the window')
    }
    const page = html === undefined ? undefined : await servePage(html)
    const id = `w${++this.#windows}`
    this.#pages.set(id, page)
    try {
      await openWindow(page?.url ?? url ?? '')
    } catch (error) {
      // Nobody will ask for the page.
      this.#pages.delete(id)
      void page?.close()
      throw error
    }
    return id
  }

  /** The browser keeps what it shows. */
  async #closeWindow({ windowId }: { windowId: string }): Promise<boolean> {
    const page = this.#pages.get(windowId)
    this.#pages.delete(windowId)
    await page?.close()
    return false
  }
}

async function confirm(
  { message, title, buttons }: ShowConfirmParams, { extension, signal }: UiContext,
): Promise<boolean> {
  const clack = await import('@clack/prompts')
  printError(`Extension ${extension} asks:\n${quoted(message, title, columns())}`)
  const [active, inactive] = buttons === 'okCancel' ? ['OK', 'Cancel'] : ['Yes', 'No']
  const answer = await clack.confirm({
    ...streams(signal), message: 'Your answer', active, inactive, initialValue: false,
  })
  return picked<boolean>(clack, answer, signal) ?? false
}

async function askPaths(params: OpenFileParams, context: UiContext): Promise<string[] | null> {
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
  what: string, question: Pick<PathQuestion, 'kind'>, params: SaveFileParams, { extension, root, signal }: UiContext,
): Promise<string | null> {
  const clack = await import('@clack/prompts')
  if (params.title !== undefined) {
    printError(`Extension ${extension} asks:\n${quoted(params.title, undefined, columns())}`)
  }
  const asked = { ...question, filters: params.filters, root }
  let input = join(resolve(root, params.defaultPath ?? '.'), sep, params.defaultName ?? '')
  for (;;) {
    const chosen = picked<string>(clack, await clack.autocomplete<string>({
      ...streams(signal),
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
    // A directory leads on.
    if (!chosen.endsWith(sep) || chosen === sep) return resolve(root, chosen)
    input = chosen
  }
}

/** `undefined`: the user closed the dialogue. @throws HermesError `CANCELLED` */
function picked<Value>(clack: Clack, answer: Value | symbol, signal: AbortSignal): Value | undefined {
  if (signal.aborted) throw cancelled()
  return clack.isCancel(answer) ? undefined : answer as Value
}

function cancelled(): HermesError {
  return new HermesError('CANCELLED', 'The dialogue was cancelled')
}

function streams(signal: AbortSignal) {
  return { input: process.stdin, output: process.stderr, signal }
}

function columns(): number {
  return process.stderr.columns || 80
}
