import { usageError } from '../../0-text/src/index.js'

const LEAST_TOKEN = 16

/** The token that the environment gives a server of HTTP. @throws HermesError `INVALID_OPTION` for one that is none */
export function givenToken(env: NodeJS.ProcessEnv): string | undefined {
  const token = env['HERMES_MCP_TOKEN']
  if (token === undefined || token === '') return undefined
  if (token.length >= LEAST_TOKEN && /^[\w.~+/=-]+$/.test(token)) return token
  throw usageError(
    'HERMES_MCP_TOKEN is no good token',
    `It takes at least ${LEAST_TOKEN} letters, digits and ._~+/=-; leave it out for a new one.`,
  )
}
