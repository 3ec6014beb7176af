import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { serverFor, withServer, type ServerPlace } from '../../../../2-language-servers/src/index.js'
import { languageOf } from '../../../../2-syntax/src/index.js'
import { type NamePlace, placeKey } from '../references/candidate.js'
import { orWithout } from './or-without.js'

/** Most definitions of one name for which a server is asked. */
const MOST_ASKED = 20

/** The servers' answers on uses of some definitions. */
export interface ToldReferences {
  /** By `placeKey`; includes the definitions. */
  named: ReadonlyMap<string, NamePlace & { name: string }>
  /** Whether a server was asked for files of this language. */
  covers: (path: string) => boolean
}

/**
 * Asks language servers where definitions are used.
 *
 * @param definitions most wanted first
 * @returns `undefined` where no server has an answer
 * @throws HermesError `CANCELLED`
 */
export async function serverReferences(
  verb: string, definitions: readonly NamePlace[], context: VerbContext,
): Promise<ToldReferences | undefined> {
  const named = new Map<string, NamePlace & { name: string }>()
  const answered = new Set<string>()
  for (const server of context.policy.languageServers ?? []) {
    const own = definitions.filter(({ path }) => serverFor(path, context) === server)
    if (own.length === 0) continue
    const places = await orWithout(context, async () => withServer(verb, server, context, async (asked) => {
      const serverPlaces: ServerPlace[] = []
      for (const place of own.slice(0, MOST_ASKED)) {
        const { places: uses } = await asked.references(place.path, place)
        serverPlaces.push(...uses)
      }
      return serverPlaces
    }))
    // A server that does not list the definition itself does not know it.
    if (!places || places.length === 0) continue
    answered.add(server.name)
    for (const { path, line, column, text, start, end } of places) {
      const language = languageOf(path)
      if (language === undefined) continue
      const place = { path, language, line, column, name: text.slice(start, end) }
      named.set(placeKey(place), place)
    }
  }
  if (answered.size === 0) return undefined
  return { named, covers: (path) => answered.has(serverFor(path, context)?.name ?? '') }
}
