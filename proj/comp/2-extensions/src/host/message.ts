import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from '../../../0-contracts/src/index.js'
import {
  EXTENSION_ERRORS, type GetMessageParams, type GetMessageResult, type PatchError, type PatchMessageParams,
  type PatchMessageResult, type SetMessageParams, type SetMessageResult,
} from '../kit/index.js'
import { RPC, RpcError } from '../../../2-wire/src/index.js'
import { parse } from '../../../1-reading/src/index.js'
import { patchText, readText, type ReadOptions } from './patch-text.js'

/** Longest text of a message, in UTF-16 units, so that it fits into one frame. */
const MOST_UNITS = 16 * 2 ** 20
/** Milliseconds of patching after which other work of this process gets a turn; a single patch may take longer. */
const MOST_BUSY_MS = 20
const LONE_SURROGATE = /\p{Surrogate}/u

export interface MessageSource extends ReadOptions {
  text: string
  /** Absolute path of the file from which it was read. */
  filePath?: string | undefined
}

/** The message being prepared for a run, as extensions read and change it. Changes are atomic and sequential. */
export class Message {
  #text: string
  #revision: number
  readonly #turns = new Turns()

  /**
   * @param source `undefined` where there is no message
   * @param revision the first one; unique among the messages that one process sees
   */
  constructor(private readonly source?: MessageSource, revision = 1) {
    this.#revision = revision
    this.#text = source?.text ?? ''
  }

  get text(): string {
    return this.#text
  }

  get revision(): number {
    return this.#revision
  }

  get isChanged(): boolean {
    return this.source !== undefined && this.#text !== this.source.text
  }

  async get(params: GetMessageParams): Promise<GetMessageResult> {
    return this.#turns.take(() => this.#get(params))
  }

  /** @throws RpcError `noMessage`, `invalidMessage`, or for another revision */
  async set(params: SetMessageParams): Promise<SetMessageResult> {
    return this.#turns.take(() => this.#set(params))
  }

  /**
   * @throws RpcError `noMessage`, for another revision, or when it is cancelled; errors of single patches are in the
   *   result
   */
  async patch(params: PatchMessageParams, signal?: AbortSignal): Promise<PatchMessageResult> {
    return this.#turns.take(async () => this.#patch(params, signal))
  }

  #get({ format = 'text' }: GetMessageParams): GetMessageResult {
    const filePath = this.source?.filePath
    return {
      message: format === 'json' ? this.#asJson() : this.#text,
      hasFile: filePath !== undefined,
      ...(filePath !== undefined && { filePath }),
      revision: this.#revision,
    }
  }

  #set({ message, revision }: SetMessageParams): SetMessageResult {
    this.#begin(revision)
    checkText(message)
    this.#replace(message)
    const { blocks, errors } = parse(message, this.source)
    return { success: true, revision: this.#revision, blocks: blocks.length, parseErrors: errors.length }
  }

  async #patch({ patches, revision }: PatchMessageParams, signal?: AbortSignal): Promise<PatchMessageResult> {
    this.#begin(revision)
    const errors: PatchError[] = []
    const options = this.source ?? {}
    let read = readText(this.#text, options)
    let since = performance.now()
    for (const [index, patch] of patches.entries()) {
      try {
        const patched = patchText(read, patch, options)
        checkText(patched.text)
        read = patched
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        errors.push({ index, path: patch.path, code: error.code, message: error.message })
      }
      if (performance.now() - since < MOST_BUSY_MS) continue
      await nextTurn()
      since = performance.now()
      if (signal?.aborted) {
        throw new RpcError(RPC.requestCancelled, 'editor/patchMessage was cancelled; nothing was changed')
      }
    }
    this.#replace(read.text)
    return {
      success: errors.length === 0,
      patchesApplied: patches.length - errors.length,
      ...(errors.length > 0 && { errors }),
      revision: this.#revision,
    }
  }

  #asJson(): string {
    if (!this.source) return JSON.stringify({ blocks: [], errors: [], skipped: [] })
    const { blocks, errors, skipped } = parse(this.#text, this.source)
    return JSON.stringify({ blocks, errors, skipped })
  }

  #begin(revision: number | undefined): void {
    if (!this.source) throw new RpcError(EXTENSION_ERRORS.noMessage, 'There is no message: give one with --message')
    if (revision === undefined || revision === this.#revision) return
    throw new RpcError(
      RPC.requestFailed, `The message was changed meanwhile: it has revision ${this.#revision}, not ${revision}`,
    )
  }

  #replace(text: string): void {
    if (text === this.#text) return
    this.#text = text
    this.#revision++
  }
}

function checkText(text: string): void {
  if (text.length > MOST_UNITS) throw invalid(`is longer than ${MOST_UNITS} characters`)
  if (text.includes('\0')) throw invalid('holds a NUL')
  if (LONE_SURROGATE.test(text)) throw invalid('holds half of a surrogate pair, which is no text')
}

function invalid(problem: string): RpcError {
  return new RpcError(EXTENSION_ERRORS.invalidMessage, `Invalid message: it ${problem}`)
}
