import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, type Stats, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { aboutFile, isNoFile, keepOwnerAndMode, TEMP_FLAGS, tempBeside } from '../atomic-write/index.js'
import { inParent } from '../store/index.js'
import { openThrough } from './open-through.js'
import { isOpenFile, outputTarget } from './output-target.js'

/**
 * A file written in pieces that appears completely or not at all: it is written beside its place until `finish` moves
 * it there, with mode and owner of the old file. A link of the user's stays; one in a directory of runs is refused.
 * Pipes and devices are written directly.
 */
export class WholeFile {
  readonly #target: string
  readonly #old: Stats | undefined
  /** `undefined` for a pipe or device. */
  readonly #temp: string | undefined
  readonly #descriptor: number
  #isOpen = true
  // Removes the temporary file however this process ends.
  readonly #discard = (): void => this.discard()

  /** @throws Node's errors where it cannot be written; HermesError `POLICY_DENIED` as `outputTarget` */
  constructor(file: string) {
    this.#target = outputTarget(file)
    const isThrough = isNoFile(this.#target)
    this.#old = isThrough ? undefined : lstatSync(this.#target, { throwIfNoEntry: false })
    const temp = isThrough ? undefined : tempBeside(this.#target)
    this.#temp = temp
    this.#descriptor = this.#named(() => {
      if (temp !== undefined) {
        return inParent(temp, 'open', (held) => openSync(held, TEMP_FLAGS, this.#old ? this.#old.mode & 0o777 : 0o666))
      }
      return isOpenFile(this.#target) ? openSync(this.#target, 'w') : openThrough(this.#target, file)
    })
    process.once('exit', this.#discard)
  }

  /** @throws Node's errors; `discard` still has to be called */
  write(text: string): void {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += this.#named(() => writeSync(this.#descriptor, bytes, at))
  }

  /**
   * Replaces the file by what was written.
   *
   * @throws Node's errors; then nothing has changed
   */
  finish(): void {
    const [temp, old] = [this.#temp, this.#old]
    try {
      if (temp === undefined) return
      this.#named(() => {
        if (old) keepOwnerAndMode(this.#descriptor, old, old.mode & 0o777)
        fsyncSync(this.#descriptor)
        // In the directory of the target, if that is still the one checked before.
        inParent(temp, 'open', (held) => renameSync(held, join(dirname(held), basename(this.#target))))
      })
    } finally {
      this.discard()
    }
  }

  /** Leaves the file as it was; without effect after `finish`. */
  discard(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    process.removeListener('exit', this.#discard)
    orNothing(() => closeSync(this.#descriptor), undefined)
    const temp = this.#temp
    if (temp !== undefined) orNothing(() => inParent(temp, 'open', (held) => rmSync(held, { force: true })), undefined)
  }

  #named<T>(task: () => T): T {
    try {
      return task()
    } catch (error) {
      throw this.#temp === undefined ? error : aboutFile(error, this.#temp, this.#target)
    }
  }
}
