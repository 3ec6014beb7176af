import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { HermesEvent } from '../../contracts/src/index.js'
import { createMasker } from '../../secrets/src/index.js'
import { Recorder } from '../../transcripts/src/index.js'
import type { SessionSettings } from './narrow-settings.js'

/** The recording of a session, for `hermes replay`: one file, in the folder that the client named. */
export class SessionRecording {
  readonly #file: string
  readonly #settings: SessionSettings

  constructor(folder: string, settings: SessionSettings) {
    const time = new Date().toISOString().replace(/[:.]/g, '-')
    this.#file = join(folder, `${time}-${randomBytes(3).toString('hex')}.jsonl`)
    this.#settings = settings
  }

  /** @throws HermesError where the file cannot be written */
  begin(text: string): { event: (event: HermesEvent) => void; close: () => void } {
    const { root, rootAliases, relativePaths, editFormats, match } = this.#settings
    const recorder = new Recorder(this.#file, createMasker(process.env))
    recorder.begin({
      root, rootAliases, text,
      settings: { ...(relativePaths === true && { relativePaths }), ...(editFormats && { editFormats }), ...(match && { match }) },
    })
    return { event: (event) => recorder.event(event), close: () => recorder.close() }
  }
}
