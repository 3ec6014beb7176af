import { usageError } from '../../0-text/src/index.js'

const LEAST_CHARACTERS = 16

/**
 * The token that `hermes mcp --http` asks of its clients, as HERMES_MCP_TOKEN gives it; `undefined` where it is not
 * set, and the command makes one.
 *
 * @throws HermesError `INVALID_OPTION` for one that is too short or has other characters
 */
export function givenToken(env: NodeJS.ProcessEnv): string | undefined {
  const token = env['HERMES_MCP_TOKEN']
  if (token === undefined || token === '') return undefined
  if (token.length >= LEAST_CHARACTERS && /^[\w.~+/=-]+$/.test(token)) return token
  throw usageError(
    'HERMES_MCP_TOKEN is no good token',
    `It takes at least ${LEAST_CHARACTERS} letters, digits and ._~+/=-; leave it out for a new one.`,
  )
}
