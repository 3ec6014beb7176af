import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { caughtLater, isNodeError } from '../../../0-contracts/src/index.js'
import { openInBrowser } from '../../../2-processes/src/index.js'
import { isUnattended } from './consent-options.js'
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
  // Where no browser can be started, there is the printed address.
  void caughtLater(isNodeError, () => openInBrowser(pathToFileURL(file).href), () => undefined)
  return () => rmSync(directory, { recursive: true, force: true })
}
