import { Hermes } from '../../5-executor/src/index.js'
import { selectToolsets } from '../../1-registry/src/index.js'
import type { ServeOptions } from './serve-options.js'

/**
 * Says at the start what every client would be told otherwise: wrong toolsets, and where the root is the server's, what
 * is wrong with it, its directories and its policy files.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_POLICY`, `POLICY_DENIED`
 */
export async function requireServable(
  { settings, bounded }: Pick<ServeOptions, 'settings' | 'bounded'>,
): Promise<void> {
  if (!bounded) {
    if (settings.toolsets) selectToolsets(settings.toolsets)
    return
  }
  const hermes = new Hermes(settings)
  try {
    await hermes.gate()
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
