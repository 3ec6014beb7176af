import { trustedEnvironment } from './environment.js'
import { start } from './start.js'

/** What opens a URL. Tried on Linux only. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens a URL in the user's browser, and does not wait for it. The browser stays when hermes ends.
 *
 * @throws Node's error, with the program as its `path`
 */
export async function openInBrowser(url: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  await start({
    program, args: [...args, url], env: trustedEnvironment(process.env), stdio: ['ignore', 'ignore', 'ignore'],
    outlivesHermes: true,
  })
}
