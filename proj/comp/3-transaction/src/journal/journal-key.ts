import { randomBytes } from 'node:crypto'
import { constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../../2-config/src/index.js'
import { closing, createWhole } from '../../../2-files/src/index.js'

const KEY_FILE = 'journal.key'
const KEY_BYTES = 32
const WRITTEN = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}\\n$`)

/** Cache: the key last read, and the stamp of its file. */
let known: { stamp: string; key: Buffer } | undefined

/** Path of this user's key, with which journals are signed. */
export function journalKeyFile(): string {
  return join(hermesHome(), KEY_FILE)
}

/**
 * The key with which this user's journals are signed.
 *
 * @param make create it where there is none
 * @returns `undefined` where there is none, or it cannot be read; journals are then not signed
 */
export function journalKey(make = false): Buffer | undefined {
  const file = journalKeyFile()
  return readKey(file) ?? (make ? makeKey(file) : undefined)
}

function readKey(file: string): Buffer | undefined {
  return orNothing(() => {
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile()) return undefined
    const stamp = `${file} ${stats.dev} ${stats.ino} ${stats.mtimeMs}`
    if (known?.stamp === stamp) return known.key
    const text = readOwn(file)
    if (text === undefined || !WRITTEN.test(text)) return undefined
    known = { stamp, key: Buffer.from(text.trim(), 'hex') }
    return known.key
  }, undefined)
}

function readOwn(file: string): string | undefined {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  return closing(fd, () => {
    const stats = fstatSync(fd)
    return stats.isFile() && stats.size === KEY_BYTES * 2 + 1 ? readFileSync(fd, 'latin1') : undefined
  })
}

function makeKey(file: string): Buffer | undefined {
  // Fails where another process created it first, or the home directory is not writable.
  orNothing(() => {
    makeOwnDirectory(dirname(file))
    createWhole(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 })
  }, undefined)
  return readKey(file)
}
