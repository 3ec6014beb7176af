import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { caught, HermesError, orNothing, type HermesEvent } from '../../0-contracts/src/index.js'
import { createMasker } from '../../0-text/src/index.js'
import { ownSecrets } from '../../2-config/src/index.js'
import { Recorder, type PreparedText } from '../../2-transcripts/src/index.js'
import type { SessionAssets } from './asset-folders.js'
import type { SessionSettings } from './narrow-settings.js'

/** Records a session for `hermes replay`: one file, in the folder that the client named. */
export class SessionRecording {
  readonly #file: string

  constructor(folder: string, private readonly assets: SessionAssets, private readonly settings: SessionSettings) {
    const time = new Date().toISOString().replace(/[:.]/g, '-')
    this.#file = join(folder, `${time}-${randomBytes(3).toString('hex')}.jsonl`)
  }

  /**
   * @param prepared what extensions made of the text
   * @returns `close` returns an error if not everything could be written: the run has ended by then, and its result
   * counts
   * @throws HermesError where the file cannot be written
   */
  async begin(
    text: string, prepared?: PreparedText,
  ): Promise<{ event: (event: HermesEvent) => void; close: () => string | undefined }> {
    const { root, rootAliases, relativePaths, editFormats, mapping, match } = this.settings
    await this.assets.requireRecordings(this.#file)
    // A command of an earlier run could have put a pipe there, on which opening would block.
    if (orNothing(() => lstatSync(this.#file), undefined)?.isFile() === false) {
      throw new HermesError('EEXIST', `${this.#file} is there, and is no recording`)
    }
    const recorder = new Recorder(this.#file, createMasker({ ...process.env, ...ownSecrets() }))
    recorder.begin({
      root, rootAliases, text, prepared,
      settings: {
        ...(relativePaths === true && { relativePaths }), ...(editFormats && { editFormats }),
        ...(mapping && { mapping }), ...(match && { match }),
      },
    })
    const close = (): string | undefined => caught(HermesError, () => {
      recorder.close()
      return undefined
    }, ({ message }) => message)
    return { event: (event) => recorder.event(event), close }
  }
}
