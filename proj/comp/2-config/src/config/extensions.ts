import { extensionsOf, type ConfiguredExtension } from './extension-settings.js'
import { userPolicy } from './load-policy.js'

/**
 * The extensions of `~/.hermes/config.yaml`, in its order. A project's file names none: it would start programs.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export async function userExtensions(): Promise<ConfiguredExtension[]> {
  return extensionsOf(await userPolicy(undefined))
}
