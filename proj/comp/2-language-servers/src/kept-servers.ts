import {
  HermesError, languageServerOf, type KeptResource, type LanguageServer, type VerbContext,
} from '../../0-contracts/src/index.js'
import { valueAt } from '../../0-text/src/index.js'
import { checkSignal } from '../../2-files/src/index.js'
import { AskedServer } from './asked-server.js'
import { LanguageClient } from './language-client.js'
import { serverFailed } from './language-server-failures.js'
import { WatchedFiles } from './watched-sources.js'

/** Ends of a server that nobody asked for, and starts that failed, after which a session does not start it again. */
const MOST_DEATHS = 3
/** How long a server is kept when nobody asks it, in milliseconds. */
const IDLE_MS = 10 * 60_000
const NAME = 'language-servers'

interface Kept {
  client: LanguageClient | undefined
  watched: WatchedFiles
  deaths: number
  /** Nobody allowed it to run: the answer is for the session. */
  refusal: HermesError | undefined
  /** The last of the calls that wait: one uses it at a time, so that it knows one text of each file. */
  turn: Promise<unknown>
  idle: NodeJS.Timeout | undefined
}

/**
 * The server that the user's config names for a file; `undefined` where there is none, where the policy lets no program
 * run, and where the files are on another machine.
 */
export function serverFor(path: string, context: VerbContext): LanguageServer | undefined {
  if (context.elsewhere || context.policy.verbs.exec.value === 'off') return undefined
  return languageServerOf(path, context.policy.languageServers)?.server
}

/**
 * Asks a server, which is started if it does not run: one of each for a session, kept between its calls. Where it ends
 * while it is asked, it is started and asked once more.
 *
 * @throws HermesError `SERVER_FAILED` where it cannot be started, ends or does not answer; `CANCELLED`,
 *   `APPROVAL_DENIED`, `NOT_INSTALLED`, and what `task` throws
 */
export async function withServer<Answer>(
  verb: string, server: LanguageServer, context: VerbContext, task: (asked: AskedServer) => Promise<Answer>,
): Promise<Answer> {
  const { kept } = context.session
  const open = kept?.get(NAME)
  const servers = open instanceof KeptServers ? open : new KeptServers()
  if (servers !== open) kept?.set(NAME, servers)
  try {
    return await servers.use(verb, server, context, task)
  } finally {
    if (!kept) await servers[Symbol.asyncDispose]()
  }
}

/** The servers of a session. */
class KeptServers implements KeptResource {
  readonly #kept = new Map<string, Kept>()
  #isDisposed = false

  async use<Answer>(
    verb: string, server: LanguageServer, context: VerbContext, task: (asked: AskedServer) => Promise<Answer>,
  ): Promise<Answer> {
    const kept = valueAt(this.#kept, server.name, () => ({
      client: undefined, watched: new WatchedFiles(server), deaths: 0, refusal: undefined, turn: Promise.resolve(),
      idle: undefined,
    }))
    const mine = kept.turn.then(async () => this.#inTurn(kept, verb, server, context, task))
    kept.turn = mine.then(() => undefined, () => undefined)
    return mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.all([...this.#kept.values()].map(async (kept) => {
      clearTimeout(kept.idle)
      await kept.turn
      await kept.client?.end()
    }))
  }

  async #inTurn<Answer>(
    kept: Kept, verb: string, server: LanguageServer, context: VerbContext,
    task: (asked: AskedServer) => Promise<Answer>,
  ): Promise<Answer> {
    checkSignal(context.signal)
    clearTimeout(kept.idle)
    try {
      for (let attempt = 1; ; attempt++) {
        const client = await this.#clientOf(kept, verb, server, context)
        try {
          client.begin()
          const asked = new AskedServer(verb, client, kept.watched, context)
          await asked.catchUp()
          return await task(asked)
        } catch (error) {
          const hasDied = client.hasEnded && error instanceof HermesError && error.code === 'SERVER_FAILED'
          if (!hasDied || attempt > 1) throw error
        }
      }
    } finally {
      kept.idle = setTimeout(() => void this.#rest(kept), IDLE_MS).unref()
    }
  }

  async #clientOf(
    kept: Kept, verb: string, server: LanguageServer, context: VerbContext,
  ): Promise<LanguageClient> {
    const { client } = kept
    if (this.#isDisposed) throw new HermesError('CANCELLED', 'The session has ended')
    if (client && !client.hasEnded) return client
    if (client) {
      kept.client = undefined
      kept.deaths++
      await client.end()
    }
    if (kept.refusal) throw kept.refusal
    if (kept.deaths >= MOST_DEATHS) throw serverFailed(
      server.name, `has failed ${kept.deaths} times in this session and is not started again`,
      `Do without it; the user can mend it: ${server.by}.`,
    )
    kept.watched = new WatchedFiles(server)
    try {
      // Before it reads them.
      await kept.watched.look(context)
      kept.client = await LanguageClient.start(verb, server, context)
      return kept.client
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      if (error.code === 'SERVER_FAILED') kept.deaths++
      if (['APPROVAL_DENIED', 'NOT_INSTALLED'].includes(error.code)) kept.refusal = error
      throw error
    }
  }

  async #rest(kept: Kept): Promise<void> {
    const { client } = kept
    kept.client = undefined
    await client?.end()
  }
}
