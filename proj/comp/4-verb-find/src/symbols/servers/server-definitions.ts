import { basename, extname } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { serverFor, withServer, type ServerPlace } from '../../../../2-language-servers/src/index.js'
import { languageOf, parseVisible } from '../../../../2-syntax/src/index.js'
import { type DefinitionAnswer, type FoundDefinition, isNamedAt } from '../found-definition.js'
import { orWithout } from './or-without.js'

/** Most definitions whose kind is determined; of a name with more, some are left out. */
const MOST_DEFINITIONS = 50

export interface ServerAnswer extends DefinitionAnswer {
  /** Server that gave the answer. */
  server: string
}

/**
 * Asks a language server where the name at a place is defined; `undefined` where the language has no server, or the
 * server does not know or fails.
 *
 * @throws HermesError `CANCELLED`
 */
export async function findByServer(
  verb: string, path: ApprovedPath, place: { line: number; column: number }, context: VerbContext,
): Promise<ServerAnswer | undefined> {
  const server = serverFor(path, context)
  if (!server) return undefined
  const answer = await orWithout(context, async () => (
    withServer(verb, server, context, async (asked) => asked.definitions(path, place))
  ))
  const { places = [], outside: [outside] = [] } = answer ?? {}
  if (places.length === 0 && outside === undefined) return undefined
  const definitions = await Promise.all(places.slice(0, MOST_DEFINITIONS).map(definitionAt))
  return {
    found: definitions, server: server.name,
    ...(definitions.length === 0 && outside !== undefined && { external: basename(outside, extname(outside)) }),
  }
}

async function definitionAt({ path, text, line, column, start, end }: ServerPlace): Promise<FoundDefinition> {
  const language = languageOf(path)
  const all = language === undefined ? [] : await parseVisible(language, text)
  const own = all.find((definition) => isNamedAt(definition, { line, column }))
    // Some servers return the place of the whole definition.
    ?? all.find(({ startLine, startColumn }) => startLine === line && startColumn === column)
  const name = own?.name ?? text.slice(start, end)
  return {
    path, text, line, column, resolved: true,
    // A module, at whose place there is no name, is named after its file.
    name: name === '' || name.includes('\n') ? `"${basename(path)}"` : name,
    kind: own?.kind ?? 'variable', startLine: own?.startLine ?? line, endLine: own?.endLine ?? line,
  }
}
