import { HermesError, type McpServer } from '../../../0-contracts/src/index.js'

/**
 * Puts variables of hermes' own environment in the place of `${NAME}`.
 *
 * @param field `env` or `headers`, for messages
 * @throws HermesError `SERVER_FAILED` for a variable that is not set: an empty token would only fail later,
 *   and elsewhere
 */
export function expandVariables(
  values: Readonly<Record<string, string>>, field: string, { name, by }: McpServer, environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const expand = (key: string, value: string): string =>
    value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => {
    const found = environment[variable]
    if (found !== undefined) return found
    throw new HermesError('SERVER_FAILED', `The MCP server ${name} cannot be started: ${variable} is not set`, {
      hint: `${by}: ${field}.${key} needs it. The user has to set it before hermes starts.`,
    })
  })
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(key, value)]))
}
