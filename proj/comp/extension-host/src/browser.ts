import { spawn } from 'node:child_process'
import { isNodeError } from '../../contracts/src/index.js'
import { EXTENSION_ERRORS } from '../../extension-kit/src/index.js'
import { RpcError } from '../../json-rpc/src/index.js'
import { trustedEnvironment } from '../../policy/src/index.js'

/** What opens a URL. Tried on Linux only. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens a URL in the user's browser, and does not wait for it.
 *
 * @throws RpcError `windowError`
 */
export async function openInBrowser(url: string): Promise<void> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], {
    stdio: 'ignore', detached: true, env: trustedEnvironment(process.env),
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(new RpcError(
      EXTENSION_ERRORS.windowError,
      `No window was opened: ${program} `
        + `${isNodeError(error) && error.code === 'ENOENT' ? 'is not installed' : 'cannot be started'}`,
    )))
  })
  // The browser stays when hermes ends.
  child.unref()
}
