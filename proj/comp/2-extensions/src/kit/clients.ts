import type {
  ExtensionMethod, ExtensionRequests, GetMessageResult, OpenFileParams, OpenWindowParams, Patch,
  PatchMessageResult, SaveFileParams, SelectDirectoryParams, SetMessageResult, ShowConfirmParams, ShowMessageParams,
} from './extension-protocol.js'

/** Sends one of the requests of extensions. */
export type Ask = <Method extends ExtensionMethod>(
  method: Method, params: ExtensionRequests[Method]['params'],
) => Promise<ExtensionRequests[Method]['result']>

/** The message being prepared. All methods reject with `RequestError` (`code` as in `EXTENSION_ERRORS`). */
export interface Editor {
  getMessage(): Promise<GetMessageResult>
  /** Its blocks, as `hermes parse --json` prints them. */
  getBlocks(): Promise<MessageBlocks>
  setMessage(message: string, options?: { revision?: number }): Promise<SetMessageResult>
  patchMessage(patches: Patch[], options?: { revision?: number }): Promise<PatchMessageResult>
}

/** What hermes finds in the message. */
export interface MessageBlocks {
  blocks: MessageBlock[]
  errors: unknown[]
  skipped: unknown[]
}

/** A block of the message, as hermes reads it. */
export interface MessageBlock {
  id: string
  format: string
  /** Name of the verb. */
  action: string
  params: Record<string, unknown>
  /** 1-based. */
  startLine: number
  endLine: number
}

/**
 * The user. All methods reject with `RequestError` where nobody can be asked; a dialogue closed by the user is no
 * error.
 */
export interface Ui {
  showMessage(message: string, options?: Omit<ShowMessageParams, 'message'>): Promise<void>
  showConfirm(message: string, options?: Omit<ShowConfirmParams, 'message'>): Promise<boolean>
  /** @returns an absolute path; `null` when the user cancelled */
  openFile(options?: OpenFileParams): Promise<string | null>
  openFiles(options?: OpenFileParams): Promise<string[] | null>
  saveFile(options?: SaveFileParams): Promise<string | null>
  selectDirectory(options?: SelectDirectoryParams): Promise<string | null>
  /** @returns id of the window; a page of `html` may post JSON to `message`, see `nextMessage` */
  openWindow(window: OpenWindowParams): Promise<string>
  /** @returns false where the browser keeps the page open */
  closeWindow(windowId: string): Promise<boolean>
  /**
   * The next message from a page, in order; rejects once hermes asks the extension to exit. A page sends one by
   * `fetch('message', { method: 'POST', body: JSON.stringify(data) })`.
   */
  nextMessage(windowId: string): Promise<unknown>
}

export function editorOf(ask: Ask): Editor {
  return {
    getMessage: () => ask('editor/getMessage', { format: 'text' }),
    async getBlocks() {
      const { message } = await ask('editor/getMessage', { format: 'json' })
      return JSON.parse(message) as MessageBlocks
    },
    setMessage: (message, options) => ask('editor/setMessage', { message, ...options }),
    patchMessage: (patches, options) => ask('editor/patchMessage', { patches, ...options }),
  }
}

export function uiOf(ask: Ask, nextMessage: Ui['nextMessage']): Ui {
  return {
    async showMessage(message, options) {
      await ask('ui/showMessage', { message, ...options })
    },
    showConfirm: async (message, options) => (await ask('ui/showConfirm', { message, ...options })).confirmed,
    openFile: async (options = {}) => (await ask('ui/openFile', options)).path,
    openFiles: async (options = {}) => (await ask('ui/openFiles', options)).paths,
    saveFile: async (options = {}) => (await ask('ui/saveFile', options)).path,
    selectDirectory: async (options = {}) => (await ask('ui/selectDirectory', options)).path,
    openWindow: async window => (await ask('ui/openWindow', window)).windowId,
    closeWindow: async windowId => (await ask('ui/closeWindow', { windowId })).success,
    nextMessage,
  }
}
