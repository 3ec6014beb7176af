import type { AnyVerb } from '../../../../0-contracts/src/index.js'
import { keyValue } from '../../../../2-config/src/index.js'
import { createMasker, isSecretName, type Masker } from '../../../../0-text/src/index.js'

/** The keys that a verb declares, for its handler alone, and what takes them out of its outcome. */
export interface VerbKeys {
  values: Readonly<Record<string, string>>
  masker: Masker
}

/** `undefined` for a verb that needs none. @throws HermesError `INVALID_POLICY` where `.env` cannot be read */
export function keysOf({ requires }: Pick<AnyVerb, 'requires'>): VerbKeys | undefined {
  const names = (requires?.keys ?? []).map((key) => (typeof key === 'string' ? key : key.name))
  if (names.length === 0) return undefined
  const values = Object.fromEntries(names.flatMap((name) => {
    const value = keyValue(name)
    return value === undefined ? [] : [[name, value]]
  }))
  // Whatever it is called, its author says that it is a key.
  const secrets = Object.entries(values).map(([name, value]) => [isSecretName(name) ? name : `${name}_KEY`, value])
  return { values, masker: createMasker(Object.fromEntries(secrets) as Record<string, string>) }
}
