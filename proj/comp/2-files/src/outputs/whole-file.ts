import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, type Stats, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { aboutFile, isNoFile, keepOwnerAndMode, TEMP_FLAGS, tempBeside } from '../atomic-write/index.js'
import { inParent } from '../store/index.js'
import { openThrough } from './open-through.js'
import { isOpenFile, outputTarget } from './output-target.js'

/**
 * A file that is written piece by piece, and is there as a whole or not at all: beside it, until `finish` puts that in
 * its place with its mode and owner. A link of the user's keeps standing, one that lies where runs work is refused.
 * Pipes and devices are written as the pieces come.
 */
export class WholeFile {
  readonly #target: string
  readonly #old: Stats | undefined
  /** `undefined` where what is written to is no file. */
  readonly #temp: string | undefined
  readonly #descriptor: number
  #isOpen = true
  // However this process ends.
  readonly #discard = (): void => this.discard()

  /** @throws Node's errors, where it cannot be written; HermesError `POLICY_DENIED` as `outputTarget` */
  constructor(file: string) {
    this.#target = outputTarget(file)
    const isThrough = isNoFile(this.#target)
    this.#old = isThrough ? undefined : lstatSync(this.#target, { throwIfNoEntry: false })
    const temp = isThrough ? undefined : tempBeside(this.#target)
    this.#temp = temp
    this.#descriptor = this.#named(() => (temp === undefined ? this.#through(file)
      : this.#held(temp, (held) => openSync(held, TEMP_FLAGS, this.#old ? this.#old.mode & 0o777 : 0o666))))
    process.once('exit', this.#discard)
  }

  /** @throws Node's errors; `discard` has still to be called */
  write(text: string): void {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += this.#named(() => writeSync(this.#descriptor, bytes, at))
  }

  /** Puts what was written in the place of the file. @throws Node's errors; then it is as it was */
  finish(): void {
    const [temp, old] = [this.#temp, this.#old]
    try {
      if (temp === undefined) return
      this.#named(() => {
        if (old) keepOwnerAndMode(this.#descriptor, old, old.mode & 0o777)
        fsyncSync(this.#descriptor)
        this.#held(temp, (held) => renameSync(held, join(dirname(held), basename(this.#target))))
      })
    } finally {
      this.discard()
    }
  }

  /** Leaves the file as it was; nothing after `finish`. */
  discard(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    process.removeListener('exit', this.#discard)
    orNothing(() => closeSync(this.#descriptor), undefined)
    const temp = this.#temp
    if (temp !== undefined) orNothing(() => this.#held(temp, (held) => rmSync(held, { force: true })), undefined)
  }

  /** In the directory of the target, where that is still the one that was looked at. */
  #held<T>(temp: string, act: (held: string) => T): T {
    return inParent(temp, 'open', act)
  }

  #through(file: string): number {
    return isOpenFile(this.#target) ? openSync(this.#target, 'w') : openThrough(this.#target, file)
  }

  #named<T>(task: () => T): T {
    try {
      return task()
    } catch (error) {
      throw this.#temp === undefined ? error : aboutFile(error, this.#temp, this.#target)
    }
  }
}
