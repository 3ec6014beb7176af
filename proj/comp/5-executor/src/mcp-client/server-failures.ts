import { HermesError, isNodeError, type McpServer } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'

const MOST_SAID = 1000

/** What is known of a server that failed. */
export interface ServerEnd {
  /** Its last output on standard error. */
  said: string
  /** Why hermes ended it. */
  problem: string | undefined
}

/** The error for a server that cannot be used. */
export function startFailure(
  error: unknown, { name, command, url, by, startMs }: McpServer, { said, problem }: ServerEnd,
): HermesError {
  const place = `It is configured in ${by}; the user has to mend it.`
  if (isNodeError(error) && error.code === 'ENOENT') {
    return failed(
      `The MCP server ${name} cannot be started: ${command ?? ''} not found in PATH (ENOENT)`, place, said, error,
    )
  }
  if (codeOf(error) === 'REQUEST_TIMEOUT') {
    return failed(
      `The MCP server ${name} did not answer within ${startMs / 1000} s`,
      `${place} start_time sets how long it may take.`, said, error,
    )
  }
  const where = url === undefined ? 'be started' : `be reached at ${new URL(url).origin}`
  const last = said.split('\n').at(-1) ?? ''
  const reason = problem ?? messageOf(error)
  const why = last === '' ? reason : `${reason}; it printed: ${clip(last, 200)}`
  return failed(`The MCP server ${name} cannot ${where}: ${why}`, place, said, error)
}

export interface FailedCall extends ServerEnd {
  server: McpServer
  tool: string
  timeoutMs: number
  isCancelled: boolean
}

/** The error for a call without an answer. The tool may have done its work nonetheless. */
export function callFailure(
  error: unknown, { server: { name }, tool, timeoutMs, isCancelled, said, problem }: FailedCall,
): HermesError {
  const verb = `mcp.${name}.${tool}`
  const unknown = 'Whether it did its work is not known: look before it is called again.'
  if (isCancelled) return new HermesError('CANCELLED', `${verb}: cancelled`, { hint: unknown, cause: error })
  const code = codeOf(error)
  if (code === 'REQUEST_TIMEOUT') {
    return new HermesError('TIMEOUT', `${verb}: no answer within ${timeoutMs / 1000} s (TIMEOUT)`, {
      hint: `${unknown} The user can give the server more time (call_time).`, cause: error,
    })
  }
  // An error response of the server itself.
  if (typeof code === 'number') {
    return new HermesError('TOOL_FAILED', `${verb}: ${clip(messageOf(error), MOST_SAID)}`, {
      hint: 'The server refused the call: change the arguments, or do without.', cause: error,
    })
  }
  const how = code === 'CONNECTION_CLOSED' ? 'ended before it answered' : `failed: ${messageOf(error)}`
  return failed(`${verb}: the server ${problem === undefined ? how : `was ended: ${problem}`}`, unknown, said, error)
}

function failed(message: string, hint: string, said: string, cause: unknown): HermesError {
  const data = said !== '' && { data: { stderr: clip(said, MOST_SAID) } }
  return new HermesError('SERVER_FAILED', message, { hint, cause, ...data })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function messageOf(error: unknown): string {
  return clip(error instanceof Error ? error.message : String(error), MOST_SAID)
}
