import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, type Stats, writeSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { linkTarget } from './link-target.js'
import { aboutFile, keepOwnerAndMode, TEMP_FLAGS } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'
import { isNoFile } from './write-whole.js'

/**
 * A file that is written piece by piece, and is there as a whole or not at all: beside it, until `finish` puts that in
 * its place with its mode and owner. A link keeps standing. Pipes and devices are written as the pieces come.
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

  /** @throws Node's errors, where it cannot be written */
  constructor(file: string) {
    const isThrough = isNoFile(file)
    this.#target = isThrough ? file : linkTarget(file)
    this.#old = isThrough ? undefined : lstatSync(this.#target, { throwIfNoEntry: false })
    this.#temp = isThrough ? undefined : tempBeside(this.#target)
    this.#descriptor = this.#named(() => (this.#temp === undefined ? openSync(this.#target, 'w')
      : openSync(this.#temp, TEMP_FLAGS, this.#old ? this.#old.mode & 0o777 : 0o666)))
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
        renameSync(temp, this.#target)
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
    if (temp !== undefined) orNothing(() => rmSync(temp, { force: true }), undefined)
  }

  #named<T>(task: () => T): T {
    try {
      return task()
    } catch (error) {
      throw this.#temp === undefined ? error : aboutFile(error, this.#temp, this.#target)
    }
  }
}
