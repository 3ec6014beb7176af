import type { FSWatcher } from 'chokidar'
import { basename } from 'node:path'
import { folderIdentity, mayMatter, type WatchedPlace } from './watched-place.js'

/**
 * Wakes whoever waits when something happened in a folder. What happened is then looked at:
 * an event is only a reason to.
 */
export class FolderAlarm {
  readonly #place: WatchedPlace
  #watcher: FSWatcher | undefined
  #identity: string | undefined
  #hasRung = false
  #wake: (() => void) | undefined

  constructor(place: WatchedPlace) {
    this.#place = place
  }

  /** Waits for the next event, at most that long. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await this.#listen()
    if (!this.#hasRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', this.#wake, { once: true })
      })
      if (this.#wake) signal.removeEventListener('abort', this.#wake)
      this.#wake = undefined
    }
    this.#hasRung = false
  }

  async close(): Promise<void> {
    await this.#watcher?.close()
    this.#watcher = undefined
  }

  /** Anew where the folder is another one. */
  async #listen(): Promise<void> {
    const { folder } = this.#place
    const identity = folderIdentity(folder)
    if (identity === this.#identity) return
    await this.close()
    this.#identity = identity
    if (identity === undefined) return
    const { watch } = await import('chokidar')
    this.#watcher = watch(folder, {
      depth: 0, ignoreInitial: true, ignorePermissionErrors: true,
      ignored: (path) => path !== folder && !mayMatter(basename(path), this.#place),
    })
    this.#watcher.on('all', () => this.#ring())
    // What came before it listened has no event.
    this.#watcher.on('ready', () => this.#ring())
    // Too many files are watched on this machine, or the folder is gone: what happens is then seen at the next look.
    this.#watcher.on('error', () => this.#ring())
  }

  #ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }
}
