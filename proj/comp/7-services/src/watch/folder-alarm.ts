import type { FSWatcher } from 'chokidar'
import { basename } from 'node:path'
import { folderIdentity, mayMatter, type WatchedPlace } from './watched-place.js'

/**
 * Wakes a waiting watcher when something happens in a folder. The watcher then looks at the folder itself: an event is
 * only a reason to.
 */
export class FolderAlarm {
  #watcher: FSWatcher | undefined
  #identity: string | undefined
  #hasRung = false
  #wake: (() => void) | undefined

  constructor(private readonly place: WatchedPlace) {}

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

  /** Listens again if the folder was replaced by another. */
  async #listen(): Promise<void> {
    const { folder } = this.place
    const identity = folderIdentity(folder)
    if (identity === this.#identity) return
    await this.close()
    this.#identity = identity
    if (identity === undefined) return
    const { watch } = await import('chokidar')
    this.#watcher = watch(folder, {
      depth: 0, ignoreInitial: true, ignorePermissionErrors: true,
      ignored: (path) => path !== folder && !mayMatter(basename(path), this.place),
    })
    this.#watcher.on('all', () => this.#ring())
    // There are no events for what happened before it was listening.
    this.#watcher.on('ready', () => this.#ring())
    // Too many files are watched on this machine, or the folder is gone: the next regular check will see changes.
    this.#watcher.on('error', () => this.#ring())
  }

  #ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }
}
