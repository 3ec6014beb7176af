import { sep } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

/**
 * Acts on a held directory; failures name the path that the caller knows.
 *
 * @param held how the directory is reached
 */
export function named<T>(held: string, directory: string, act: (held: string) => T): T {
  try {
    return act(held)
  } catch (error) {
    throw renamed(error, held, directory)
  }
}

function renamed(error: unknown, held: string, directory: string): unknown {
  const shown = (text: string): string => text.replaceAll(held + sep, directory === sep ? sep : directory + sep)
    .replaceAll(`'${held}'`, `'${directory}'`)
  if (error instanceof HermesError) {
    if (!`${error.message}${error.hint ?? ''}`.includes(held + sep)) return error
    const { code, message, hint, data, cause } = error
    return new HermesError(code, shown(message), { hint: hint === undefined ? undefined : shown(hint), data, cause })
  }
  if (!isNodeError(error)) return error
  error.message = shown(error.message)
  for (const key of ['path', 'dest'] as const) {
    const place = (error as { path?: string; dest?: string })[key]
    if (place !== undefined) Object.assign(error, { [key]: place === held ? directory : shown(place) })
  }
  return error
}
