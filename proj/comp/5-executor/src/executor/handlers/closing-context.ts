import { join } from 'node:path'
import type { ApprovedPath, CommandSandbox, FileStore, VerbContext } from '../../../../0-contracts/src/index.js'
import { ForwardedFiles, type FileUse } from '../../../../2-files/src/index.js'
import { forwardedSandbox } from './sandbox-news.js'

/** Runs a question to the user, with the time limit of the call paused. */
export type WhileAsking = <T>(asks: () => Promise<T>) => Promise<T>

/**
 * The context of one handler call. Once the call is over, its files, path gate, commands and questions refuse use.
 *
 * @param requireOpen throws once the call is over; its argument names what was attempted
 * @param waiting its signal is created only when the handler first reads it
 */
export function closingContext(
  context: VerbContext, requireOpen: (what: string) => void,
  waiting: { readonly signal: AbortSignal; readonly whileAsking: WhileAsking },
): VerbContext {
  const { gate, files, ui, wider, approve } = context
  const asking = <T>(what: string, asks: () => Promise<T>): Promise<T> => {
    requireOpen(what)
    return waiting.whileAsking(asks)
  }
  return {
    ...context,
    get signal() {
      return waiting.signal
    },
    gate: {
      approve(path, access) {
        requireOpen(`${access} ${path}`)
        return gate.approve(path, access)
      },
      approveEntry(directory, name, access) {
        const path = join(directory, name)
        requireOpen(`${access} ${path}`)
        return gate.approveEntry?.(directory, name, access) ?? gate.approve(path, access)
      },
    },
    files: new ClosingFiles(files, requireOpen),
    sandbox: closingSandbox(context.sandbox, requireOpen),
    ui: ui && {
      ask: async (question, signal) => asking('ask the user', async () => ui.ask(question, signal)),
      confirm: async (request, signal) => asking('ask the user', async () => ui.confirm(request, signal)),
    },
    ...(wider && {
      wider: {
        has: (entry) => wider.has(entry),
        ask: async (request, entryOf) => asking('ask for an approval', async () => wider.ask(request, entryOf)),
      },
    }),
    approve: (request) => asking('ask for an approval', async () => approve(request)),
  }
}

function closingSandbox(sandbox: CommandSandbox, requireOpen: (what: string) => void): CommandSandbox {
  return forwardedSandbox(sandbox, {
    async admit(...asked) {
      requireOpen('run a command')
      return sandbox.admit(...asked)
    },
    async confine(call) {
      requireOpen('run a command')
      return sandbox.confine(call)
    },
  }, (local) => closingSandbox(local, requireOpen))
}

/** A store that its handler can use until the call is over. Each method is done when it returns: none is cut short. */
class ClosingFiles extends ForwardedFiles {
  /** @param requireOpen throws once the call is over */
  constructor(files: FileStore, private readonly requireOpen: (what: string) => void) {
    super(files)
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    return this.to('read', path).heldText?.(path, maxBytes)
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    return this.to('change', path).replaceOnly?.(path, oldText, newText, maxBytes) ?? false
  }

  override async *chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    for await (const chunk of this.to('read', path).chunks(path)) {
      yield chunk
      this.requireOpen(`read ${path}`)
    }
  }

  protected override to(use: FileUse, path: ApprovedPath): FileStore {
    this.requireOpen(`${use} ${path}`)
    return this.inner
  }
}
