import { unlessRefused } from '../../../../0-contracts/src/index.js'
import { keyValue } from './key-value.js'

/** The variable that holds the user's password for sudo. */
const NAME = 'SUDO_PASSWORD'

/**
 * Secrets that hermes itself hands to nobody but who asks for them by rights, and that therefore have to be masked also
 * where they are no variables of the environment.
 */
export function ownSecrets(): Readonly<Record<string, string>> {
  // Who needs `.env` is told why it cannot be read.
  return unlessRefused(() => {
    const value = keyValue(NAME)
    return value === undefined ? {} : { [NAME]: value }
  }, {})
}

/** The password for sudo; `undefined` where there is none. */
export function sudoPassword(): string | undefined {
  return ownSecrets()[NAME]
}
