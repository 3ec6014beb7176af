import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { lineFeeds } from '../../../0-text/src/index.js'
import { ownEnvironment, ownProgram, run } from '../../../2-processes/src/index.js'

/** Time limit in milliseconds: a clipboard program may hang with its display. */
const LIMIT_MS = 10_000
const MOST_BYTES = 64 * 1024 * 1024
const HINT = 'On Linux it takes a display, and xsel or xclip (X11) or wl-clipboard (Wayland): apt-get install xsel. '
  + 'Without one give the text as a '
  + 'file, and take the text for the model with --reply from standard output.'

type Command = readonly [program: string, ...args: string[]]
interface Clipboard {
  read: Command
  write: Command
}

const POWERSHELL = ['-NoProfile', '-NonInteractive', '-Command'] as const
const BY_POWERSHELL: Clipboard = {
  read: ['powershell.exe', ...POWERSHELL, '[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw'],
  write: [
    'powershell.exe', ...POWERSHELL,
    '[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())',
  ],
}

/**
 * The text on the clipboard with `lineFeeds` applied; empty where there is none.
 *
 * @throws HermesError `NO_CLIPBOARD`
 */
export async function readClipboard(): Promise<string> {
  const text = await ask(clipboard().read)
  // PowerShell appends a line break.
  return clipboard() === BY_POWERSHELL ? text.replaceAll('\r\n', '\n').replace(/\n$/, '') : lineFeeds(text)
}

/** @throws HermesError `NO_CLIPBOARD` */
export async function writeClipboard(text: string): Promise<void> {
  await ask(clipboard().write, text)
}

/** The first clipboard whose programs are installed, outside all directories in which models write. */
function clipboard(): Clipboard {
  const [usable] = candidates().filter(({ read: [program] }) => ownProgram(program) !== undefined)
  if (usable !== undefined) return usable
  throw unusable(needsDisplay() ? 'Clipboard access requires a display server (X11 or Wayland)'
    : 'no program for it is installed where no model writes')
}

function needsDisplay(): boolean {
  const { DISPLAY: x, WAYLAND_DISPLAY: wayland, WSL_DISTRO_NAME: windows, PREFIX: prefix = '' } = process.env
  return process.platform === 'linux' && !x && !wayland && !windows && !prefix.includes('com.termux')
}

function candidates(): Clipboard[] {
  if (needsDisplay()) return []
  if (process.platform === 'darwin') return [{ read: ['pbpaste'], write: ['pbcopy'] }]
  if (process.platform === 'win32') return [BY_POWERSHELL]
  const { WAYLAND_DISPLAY: wayland, WSL_DISTRO_NAME: windows, PREFIX: prefix = '' } = process.env
  return [
    ...(wayland ? [{ read: ['wl-paste', '--no-newline'], write: ['wl-copy'] } as const] : []),
    ...(prefix.includes('com.termux')
      ? [{ read: ['termux-clipboard-get'], write: ['termux-clipboard-set'] } as const] : []),
    { read: ['xsel', '--clipboard', '--output'], write: ['xsel', '--clipboard', '--input'] },
    { read: ['xclip', '-selection', 'clipboard', '-out'], write: ['xclip', '-selection', 'clipboard', '-in'] },
    ...(windows ? [BY_POWERSHELL] : []),
  ]
}

async function ask([program, ...args]: Command, input?: string): Promise<string> {
  const { exitCode, stopped, stdout, stderr } = await orUnusable(run({
    program, args, env: ownEnvironment(), timeoutMs: LIMIT_MS, maxOutputBytes: MOST_BYTES,
    ...(input !== undefined && { input }),
  }))
  if (stopped === 'timeout') throw unusable(`no answer within ${LIMIT_MS / 1000} s`)
  const said = stderr.toString('utf8').trim().split('\n')[0] ?? ''
  // Wayland's program reports an empty clipboard as an error.
  if (exitCode !== 0 && /nothing is copied/i.test(said)) return ''
  if (exitCode !== 0) throw unusable(said === '' ? `${program} failed` : said)
  return stdout.toString('utf8')
}

async function orUnusable<T>(ran: Promise<T>): Promise<T> {
  return await caughtLater(isNodeError, () => ran, (error) => {
    throw unusable(error.message)
  })
}

function unusable(reason: string): HermesError {
  return new HermesError('NO_CLIPBOARD', `The clipboard cannot be used: ${reason.replace(/\.$/, '')}`, { hint: HINT })
}
