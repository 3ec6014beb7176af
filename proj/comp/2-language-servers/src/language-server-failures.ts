import { HermesError } from '../../0-contracts/src/index.js'

/** A failure of a server, as the end of a sentence: `did not answer …`. */
export function serverFailed(name: string, problem: string, hint: string, cause?: unknown): HermesError {
  return new HermesError('SERVER_FAILED', `Language server ${name} ${problem}`, { hint, cause })
}

/** What was read of a server is not what the protocol has. */
export function againstProtocol(name: string, method: string, problem: string): HermesError {
  return serverFailed(
    name, `answered ${method} against the protocol: ${problem}`, 'Its answer was not used. Nothing was changed.',
  )
}

/** An edit that a server wants and that is not made. */
export function editRefused(name: string, problem: string): HermesError {
  return serverFailed(
    name, `wants an edit that is not made: ${problem}`,
    'Nothing was changed. Edit the files yourself: find_symbol with include_references shows the places.',
  )
}
