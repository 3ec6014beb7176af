import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInside } from '../../../2-files/src/index.js'

/** Where servers start: none of them in the root, where a model could have put programs and settings for them. */
export class ServerPlace {
  #directory: string | undefined

  constructor(
    /** What they are told to work in. */
    readonly root: string,
  ) {}

  /** A private directory that is empty but for a mark at which npm looks no further up. */
  neutral(): string {
    if (this.#directory === undefined) {
      const temporary = realpathSync.native(tmpdir())
      this.#directory = mkdtempSync(join(isInside(this.root, temporary) ? homedir() : temporary, '.hermes-mcp-'))
      writeFileSync(join(this.#directory, 'package.json'), '{"private":true}\n')
    }
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    return this.#directory
  }

  /** Once no server runs. */
  remove(): void {
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 })
    this.#directory = undefined
  }
}
