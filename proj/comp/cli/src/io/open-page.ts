import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUnattended } from './consent.js'
import { isTerminal } from './output.js'

/** Whether there is somebody in front of a screen to look at a page. */
export function canOpenPage(): boolean {
  if (isUnattended() || !isTerminal('stderr')) return false
  const { DISPLAY: x, WAYLAND_DISPLAY: wayland } = process.env
  return process.platform !== 'linux' || [x, wayland].some((name) => name !== undefined && name !== '')
}

/**
 * Opens an address in the user's browser, if there is one. Every user of a machine can read the arguments of programs:
 * so the browser is given a file that only the user can read, and that leads on to the address.
 *
 * @returns removes the file
 */
export function openPage(url: string): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-review-'))
  const file = join(directory, 'open.html')
  writeFileSync(file, '<!doctype html><meta charset="utf-8"><title>hermes review</title><meta http-equiv="refresh" '
    + `content="0;url=${url}">\n`, { mode: 0o600 })
  const [program, ...args] = opener(pathToFileURL(file).href)
  const child = spawn(program, args, { detached: true, stdio: 'ignore' })
  // There is the printed address.
  child.on('error', () => undefined)
  child.unref()
  return () => rmSync(directory, { recursive: true, force: true })
}

function opener(address: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', address]
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', address] : ['xdg-open', address]
}
