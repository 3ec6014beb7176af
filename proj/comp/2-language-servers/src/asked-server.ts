import type { GenericSchema, InferOutput } from 'valibot'
import {
  HermesError, languageServerOf, type ApprovedPath, type VerbContext,
} from '../../0-contracts/src/index.js'
import { valueAt, withoutMark } from '../../0-text/src/index.js'
import { approveIfAllowed, pathOfUri, readText, uriOf } from '../../2-files/src/index.js'
import type { LanguageClient } from './language-client.js'
import { offsetOfPlace, placeOfOffset, PositionedText, type Place, type Range } from './protocol-positions.js'
import {
  DIAGNOSTIC_REPORT, LOCATIONS, WORKSPACE_EDIT, type Diagnostic, type ServerCapabilities,
} from './protocol-schemas.js'
import { againstProtocol, serverFailed } from './language-server-failures.js'
import type { WatchedFiles } from './watched-sources.js'
import { filesOfEdit, type EditedFile } from './workspace-edits.js'

/** Files of one run that a server is given beforehand: those that a dry run only has in memory. */
const MOST_CHANGED = 200
/** How often a server is asked the same while it reads the project. */
const MOST_ROUNDS = 3

/** A place that a server named, in a file that may be read. */
export interface ServerPlace extends Place {
  path: ApprovedPath
  /** Of the whole file, without byte order mark. */
  text: string
  /** Of the range in the text, in UTF-16 units. */
  start: number
  end: number
}

/** What a server names, as far as it may be seen. */
export interface ServerPlaces {
  places: ServerPlace[]
  /** Absolute paths of files that may not be read here: libraries, mostly. */
  outside: string[]
}

/** As the protocol numbers them, from 1: the worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const

/** A diagnostic by places of hermes. */
export interface ServerDiagnostic extends Place {
  endLine: number
  endColumn: number
  severity: (typeof SEVERITIES)[number]
  code?: string
  source?: string
  message: string
}

/** A server while one call asks it: it is given the files as that call sees them. */
export class AskedServer {
  readonly #texts = new Map<ApprovedPath, PositionedText>()

  constructor(
    private readonly verb: string, private readonly client: LanguageClient, private readonly watched: WatchedFiles,
    private readonly context: VerbContext,
  ) {}

  get name(): string {
    return this.client.name
  }

  /** Tells the server what has changed since the last call. */
  async catchUp(): Promise<void> {
    const { files, gate, policy } = this.context
    const changes = await this.watched.look(this.context)
    if (changes.length > 0) await this.client.notify('workspace/didChangeWatchedFiles', { changes })
    const changed = [...new Set(files.changes.map(({ path }) => path))].slice(-MOST_CHANGED)
    const own = changed.filter((path) => languageServerOf(path, policy.languageServers)?.server.name === this.name)
    let hasChanged = changes.length > 0
    for (const path of [...this.client.documents.paths(), ...own]) {
      const known = this.client.documents.get(path)
      const approved = approveIfAllowed(gate, path, 'read')
      if (approved !== undefined && files.stat(approved)?.kind === 'file') await this.open(approved)
      else await this.client.documents.close(path)
      if (this.client.documents.get(path) !== known) hasChanged = true
    }
    if (hasChanged) this.client.told.outdate()
  }

  /**
   * Gives the server a file as it is now.
   *
   * @param text in place of what is in it, without byte order mark
   * @returns its text without byte order mark
   * @throws Node's errors, HermesError `FILE_TOO_LARGE`, `NOT_TEXT`
   */
  async open(path: ApprovedPath, text = withoutMark(this.#read(path))): Promise<string> {
    const languageServer = languageServerOf(path, [this.client.server])
    if (!languageServer) throw againstProtocol(this.name, 'textDocument/didOpen', 'the file is in no language of it')
    await this.client.documents.sync(path, languageServer.languageId, text)
    return text
  }

  /** Where the name at a place is defined. @throws HermesError `SERVER_FAILED`, `CANCELLED` */
  async definitions(path: ApprovedPath, place: Place): Promise<ServerPlaces> {
    return this.#places('textDocument/definition', 'definitionProvider', path, place)
  }

  /** Where else what is named at a place is used. @throws HermesError `SERVER_FAILED`, `CANCELLED` */
  async references(path: ApprovedPath, place: Place): Promise<ServerPlaces> {
    return this.#places('textDocument/references', 'referencesProvider', path, place, {
      context: { includeDeclaration: true },
    })
  }

  /**
   * What a new name for what is named at a place would change.
   *
   * @throws HermesError `SERVER_FAILED`; nothing has been changed in any case
   */
  async rename(path: ApprovedPath, place: Place, newName: string): Promise<EditedFile[]> {
    const method = 'textDocument/rename'
    this.#requireOffered('renameProvider', method)
    const params = { ...await this.#at(path, place), newName }
    const edit = await this.#ask(method, params, WORKSPACE_EDIT, (answer) => !answer)
    return filesOfEdit(this.name, edit ?? {}, this.client.documents)
  }

  /** Whether the server has seen a file as it is now; else what it says of it may be about another text. */
  hasSeen(path: ApprovedPath): boolean {
    const document = this.client.documents.get(path)
    const now = withoutMark(this.#read(path))
    return document ? document.text.text === now : this.watched.isSame(path, this.context)
  }

  /** A file as the server counts its places. */
  positioned(path: ApprovedPath): PositionedText {
    const known = this.#texts.get(path)
    const text = withoutMark(this.#read(path))
    if (known?.text === text) return known
    const positioned = new PositionedText(text, this.client.capabilities.positionEncoding)
    this.#texts.set(path, positioned)
    return positioned
  }

  /**
   * What the server says of a file as it is now, or with another text.
   *
   * @param limitMs how long that may take; default: `call_time` of the server
   * @returns `undefined` where it says nothing in its time
   * @throws HermesError `SERVER_FAILED`, `CANCELLED`
   */
  async diagnostics(
    path: ApprovedPath, text?: string, limitMs = this.client.server.callMs,
  ): Promise<ServerDiagnostic[] | undefined> {
    const client = this.client
    const { signal } = this.context
    const until = performance.now() + limitMs
    const isOver = (): boolean => signal.aborted || client.hasEnded || performance.now() > until
    const known = await this.open(path, text)
    const document = client.documents.get(path)
    if (!document) return undefined
    const { diagnosticProvider: provider } = client.capabilities
    if (provider) {
      await client.settled(isOver)
      const { items } = await client.request('textDocument/diagnostic', {
        textDocument: { uri: uriOf(path) }, ...(provider.identifier && { identifier: provider.identifier }),
      }, DIAGNOSTIC_REPORT, signal, limitMs)
      return items.map((item) => toldAt(item, document.text, known))
    }
    const items = await client.told.when(path, document, () => client.isWorking, isOver)
    if (signal.aborted) throw new HermesError('CANCELLED', `${this.verb} was cancelled`)
    if (client.hasEnded) {
      throw serverFailed(
        this.name, `ended before it told of ${path}`, `Start it by hand, as ${client.server.by} has it.`,
      )
    }
    return items?.map((item) => toldAt(item, document.text, known))
  }

  async #places(
    method: string, provider: keyof ServerCapabilities, path: ApprovedPath, place: Place, more: object = {},
  ): Promise<ServerPlaces> {
    this.#requireOffered(provider, method)
    const params = { ...await this.#at(path, place), ...more }
    return this.#seen(method, await this.#ask(method, params, LOCATIONS, (answer) => answer.length === 0))
  }

  /** Asks again where a server that was still reading the project has nothing to say. */
  async #ask<Schema extends GenericSchema>(
    method: string, params: object, schema: Schema, isNothing: (answer: InferOutput<Schema>) => boolean,
  ): Promise<InferOutput<Schema>> {
    const client = this.client
    const { signal } = this.context
    for (let round = 1; ; round++) {
      const { begun } = client
      const mayKnowMore = async (): Promise<boolean> => {
        if (round >= MOST_ROUNDS || (!client.isWorking && client.begun === begun)) return false
        const until = performance.now() + client.server.callMs
        await client.settled(() => signal.aborted || performance.now() > until)
        return !client.isWorking && !client.hasEnded
      }
      try {
        const answer = await client.request(method, params, schema, signal)
        if (!isNothing(answer) || !await mayKnowMore()) return answer
      } catch (error) {
        if (!(error instanceof HermesError) || error.code !== 'SERVER_FAILED' || !await mayKnowMore()) throw error
      }
    }
  }

  #requireOffered(provider: keyof ServerCapabilities, method: string): void {
    if (this.client.capabilities[provider]) return
    throw serverFailed(this.name, `cannot answer ${method}`, 'It does not offer that. Do without it.')
  }

  async #at(path: ApprovedPath, place: Place): Promise<object> {
    const offset = offsetOfPlace(await this.open(path), place)
    const document = this.client.documents.get(path)
    if (offset === undefined || !document) {
      throw serverFailed(this.name, 'was asked for a place that is not in the file', 'Write a line and column of it.')
    }
    return { textDocument: { uri: uriOf(path) }, position: document.text.positionAt(offset) }
  }

  #seen(method: string, locations: readonly { uri: string; range: Range }[]): ServerPlaces {
    const places = new Map<string, ServerPlace>()
    const outside = new Set<string>()
    // A name may have thousands of uses in one file.
    const files = new Map<string, { path: ApprovedPath; text: PositionedText } | undefined>()
    for (const { uri, range } of locations) {
      const file = valueAt(files, uri, () => this.#fileOf(uri))
      if (!file) {
        outside.add(pathOfUri(uri) ?? uri)
        continue
      }
      const { path, text } = file
      const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)]
      if (start === undefined || end === undefined) {
        throw againstProtocol(this.name, method, `line ${range.start.line + 1} is no place in ${path}`)
      }
      places.set(`${path} ${start}`, { path, text: text.text, start, end, ...text.placeAt(start) })
    }
    return { places: [...places.values()], outside: [...outside] }
  }

  /** `undefined` for one that may not be read here. */
  #fileOf(uri: string): { path: ApprovedPath; text: PositionedText } | undefined {
    const named = pathOfUri(uri)
    const path = named === undefined ? undefined : approveIfAllowed(this.context.gate, named, 'read')
    if (path === undefined || this.context.files.stat(path)?.kind !== 'file') return undefined
    return { path, text: this.positioned(path) }
  }

  #read(path: ApprovedPath): string {
    return readText(this.context.files, path, this.context.limits.maxFileBytes, path)
  }
}

function toldAt(
  { range, severity, code, source, message }: Diagnostic, positions: PositionedText, text: string,
): ServerDiagnostic {
  const start = positions.offsetAt(range.start) ?? text.length
  const { line: endLine, column: endColumn } = placeOfOffset(text, positions.offsetAt(range.end) ?? start)
  return {
    ...placeOfOffset(text, start), endLine, endColumn, severity: SEVERITIES[(severity ?? 1) - 1] ?? 'error',
    ...(code !== null && code !== undefined && { code: String(code) }), ...(source && { source }), message,
  }
}
