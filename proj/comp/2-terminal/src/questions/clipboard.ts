import { HermesError } from '../../../0-contracts/src/index.js'

/** A program that serves the clipboard may hang where its display does, in milliseconds. */
const LIMIT_MS = 10_000
const HINT = 'On Linux it takes a display, and xsel (X11) or wl-clipboard (Wayland): apt-get install xsel. '
  + 'Without one give the text as a '
  + 'file, and take the feedback with --feedback from standard output.'

/** The text on the clipboard; empty where there is none. @throws HermesError `NO_CLIPBOARD` */
export async function readClipboard(): Promise<string> {
  return withClipboard(async ({ read }) => read())
}

/** @throws HermesError `NO_CLIPBOARD` */
export async function writeClipboard(text: string): Promise<void> {
  await withClipboard(async ({ write }) => write(text))
}

async function withClipboard<Value>(
  use: (clipboard: typeof import('clipboardy').default) => Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS)
  })
  try {
    const { default: clipboard } = await import('clipboardy')
    return await Promise.race([use(clipboard), late])
  } catch (error) {
    // Its errors have no codes; whatever it is, the clipboard cannot be had.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new HermesError('NO_CLIPBOARD', `The clipboard cannot be used: ${reason.replace(/\.$/, '')}`, {
      hint: HINT, cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}
