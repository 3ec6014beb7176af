import { HermesError } from '../../0-contracts/src/index.js'

/** A record that does not have the form its format asks for. */
export function invalidTranscript(problem: string, hint = 'hermes help replay describes what is read.'): HermesError {
  return new HermesError('INVALID_TRANSCRIPT', problem, { hint })
}
