import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../../2-config/src/index.js'
import { createWhole } from '../../../2-files/src/index.js'

const KEY_FILE = 'journal.key'
const KEY_BYTES = 32
const WRITTEN = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}\\n$`)

/** The key that was read last, and which file it was read from. */
let known: { stamp: string; key: Buffer } | undefined

/** Where the key of this user is, with which journals are signed. */
export function journalKeyFile(): string {
  return join(hermesHome(), KEY_FILE)
}

/**
 * The key with which this user's journals are signed.
 *
 * @param make where there is none yet
 * @returns `undefined` where there is none, or it cannot be read: what is written then is not signed
 */
export function journalKey(make = false): Buffer | undefined {
  const file = journalKeyFile()
  return readKey(file) ?? (make ? makeKey(file) : undefined)
}

function readKey(file: string): Buffer | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile()) return undefined
    const stamp = `${file} ${stats.dev} ${stats.ino} ${stats.mtimeMs}`
    if (known?.stamp === stamp) return known.key
    const text = readOwn(file)
    if (text === undefined || !WRITTEN.test(text)) return undefined
    known = { stamp, key: Buffer.from(text.trim(), 'hex') }
    return known.key
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}

function readOwn(file: string): string | undefined {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(fd)
    return stats.isFile() && stats.size === KEY_BYTES * 2 + 1 ? readFileSync(fd, 'latin1') : undefined
  } finally {
    closeSync(fd)
  }
}

function makeKey(file: string): Buffer | undefined {
  try {
    makeOwnDirectory(dirname(file))
    createWhole(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 })
  } catch (error) {
    // Another process was quicker, or the home cannot be written.
    if (!isNodeError(error)) throw error
  }
  return readKey(file)
}
