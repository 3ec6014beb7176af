import { realpathSync } from 'node:fs'
import { keptOptions } from '../../2-config/src/index.js'
import { HermesError, orNothing, tracked } from '../../0-contracts/src/index.js'
import { Hermes } from '../../5-executor/src/index.js'
import {
  checkedParams, DEFAULT_MAX_MESSAGE_BYTES, RPC, RpcError, type Methods, type RequestHandler,
} from '../../2-wire/src/index.js'
import { SessionAssets } from './asset-folders.js'
import { narrowSettings } from './narrow-settings.js'
import { INITIALIZE, NOTHING, type InitializeParams } from './params.js'
import type { ReadySession, Shared } from './ready-session.js'
import { SessionRecording } from './run-recording.js'
import { DISCOVER } from './serve-protocol.js'
import { sessionRequests } from './session-requests.js'

/** The session of one client: `initialize`, then requests, then `shutdown`. */
export class ClientSession {
  readonly methods: Methods
  #ready: ReadySession | undefined
  #dryRun: Hermes | undefined
  #isShutDown = false
  /** Set while `initialize` is being answered. */
  #starting: Promise<object> | undefined
  /** Running requests. */
  readonly #running = new Set<Promise<unknown>>()

  /** @param onExit called by the notification `exit` */
  constructor(private readonly shared: Shared, onExit: () => void) {
    const requests = sessionRequests(shared, () => this.#session())
    this.methods = {
      requests: {
        initialize: checkedParams(INITIALIZE, (params) => this.#start(params)),
        shutdown: checkedParams(NOTHING, () => this.#shutdown()),
        ...DISCOVER,
        ...Object.fromEntries(Object.entries(requests).map(([name, handler]) => [name, this.#tracked(handler)])),
      },
      notifications: { exit: onExit, initialized: () => undefined },
    }
  }

  get isInitialized(): boolean {
    return this.#ready !== undefined
  }

  /** Whether `shutdown` was requested. */
  get isShutDown(): boolean {
    return this.#isShutDown
  }

  /** Ends running commands, and waits until their runs are finished: journals closed, changes committed. */
  async dispose(): Promise<void> {
    this.#isShutDown = true
    await Promise.all([this.#ready?.hermes[Symbol.asyncDispose](), this.#dryRun?.[Symbol.asyncDispose]()])
    await Promise.allSettled(this.#running)
  }

  /** Starts the session; may be requested again if refused. */
  async #start(params: InitializeParams): Promise<object> {
    if (this.#ready ?? this.#starting) throw new RpcError(RPC.invalidRequest, 'initialize has been sent already')
    this.#starting = this.#initialize(params)
    return tracked(this.#running, this.#starting).finally(() => {
      this.#starting = undefined
    })
  }

  async #initialize(params: InitializeParams): Promise<object> {
    const { options } = this.shared
    const settings = narrowSettings(options, params)
    // Its options determine which verbs are offered; each run asks the client of its own request.
    const own = { ...settings, hooks: false, ...(params.capabilities?.questions === true && { ui: NOBODY }) }
    const hermes = new Hermes(own)
    const root = orNothing(() => realpathSync.native(settings.root), settings.root)
    const reading = { ...settings, ...await keptOptions(settings), root }
    const assets = await SessionAssets.open(params.assetFolders ?? {}, hermes, { ...settings, root }, options.bounded)
    const { recordings } = assets.folders
    this.#ready = {
      settings: reading, hermes, verbs: hermes.verbExecutor(), assets,
      dryRun: () => (this.#dryRun ??= new Hermes({ ...own, dryRun: true })),
      recording: recordings === undefined ? undefined : new SessionRecording(recordings, assets, reading),
      capabilities: params.capabilities ?? {},
      log: options.log,
    }
    return {
      protocolVersion: 1,
      serverInfo: { name: 'hermes', version: options.version },
      workspaceRoot: root,
      allow: settings.allow,
      assetFolders: assets.folders,
      capabilities: { methods: Object.keys(this.methods.requests), maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES },
    }
  }

  /** Lets running requests finish; a client that does not want that cancels them first. */
  async #shutdown(): Promise<null> {
    if (this.#starting) await Promise.allSettled([this.#starting])
    this.#session()
    this.#isShutDown = true
    await Promise.allSettled(this.#running)
    return null
  }

  #session(): ReadySession {
    if (this.#isShutDown) {
      throw new RpcError(RPC.invalidRequest, 'The session is shutting down', { hint: 'Start another one.' })
    }
    if (this.#ready) return this.#ready
    throw new RpcError(RPC.notInitialized, 'Not initialized', { hint: 'Send initialize first, '
      + 'and wait for its answer.' })
  }

  #tracked(handler: RequestHandler): RequestHandler {
    return async (params, context) => {
      // A client may send requests before it got the answer to initialize.
      if (this.#starting) await Promise.allSettled([this.#starting])
      return tracked(this.#running, Promise.resolve(handler(params, context)))
    }
  }
}

const nobody = () => Promise.reject(new HermesError('NO_USER', 'The client asks no questions'))
const NOBODY = { ask: nobody, confirm: nobody }
