import { isNodeError } from '../../../0-contracts/src/index.js'
import { EXTENSION_ERRORS } from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import { openInBrowser } from '../../../2-processes/src/index.js'

/**
 * Opens a URL for an extension in the user's browser, and does not wait for it.
 *
 * @throws RpcError `windowError`
 */
export async function openWindow(url: string): Promise<void> {
  try {
    await openInBrowser(url)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new RpcError(
      EXTENSION_ERRORS.windowError,
      `No window was opened: ${error.path ?? 'the program'} `
        + `${error.code === 'ENOENT' ? 'is not installed' : 'cannot be started'}`,
    )
  }
}
