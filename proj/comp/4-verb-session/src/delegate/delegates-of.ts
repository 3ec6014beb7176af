import { HermesError, type Delegates, type VerbContext } from '../../../0-contracts/src/index.js'

/** @throws HermesError `NOT_INSTALLED` where nobody has delegates */
export function delegatesOf(verb: string, { delegates }: VerbContext): Delegates {
  if (delegates) return delegates
  throw new HermesError('NOT_INSTALLED', `${verb}: there are no delegates here`, {
    hint: 'Only an agent has them (hermes chat, acp and gateway, the library), unless its user says delegate: false. '
      + 'Do the task yourself.',
  })
}
