import { HermesError, type TerminalSettings } from '../../../../0-contracts/src/index.js'
import { isElsewhere, openRemotePlace, type RemotePlace } from '../../../../2-sandbox/src/index.js'
import type { Settings } from '../settings.js'

/** The remote host that a session works on, if any: connects once, and again when the connection is lost. */
export class SessionPlace {
  #opening: Promise<RemotePlace> | undefined

  constructor(private readonly settings: Settings) {}

  /**
   * @returns `undefined` for this machine
   * @throws HermesError as `openRemotePlace`; `INVALID_OPTION` for options that do not work on another host
   */
  async open(terminal: TerminalSettings): Promise<RemotePlace | undefined> {
    if (!isElsewhere(terminal)) return undefined
    const { dryRun, atomic, gitCommit, allow } = this.settings
    const what = dryRun ? 'dry run' : atomic !== false ? 'atomic run' : gitCommit === true ? 'commit'
      : allow.length > 0 ? 'further directory (allow)' : undefined
    if (what !== undefined) {
      throw new HermesError('INVALID_OPTION', `There is no ${what} on another host (terminal.backend: ssh)`, {
        hint: 'Leave it out, or set terminal.backend to local: of what is changed there is no journal.',
      })
    }
    const before = this.#opening
    // Concurrent runs find the connection lost together; only the first reconnects.
    if ((await before)?.isBroken === true && this.#opening === before) await this.end()
    const opening = this.#opening ??= openRemotePlace(terminal)
    try {
      const place = await opening
      this.settings.rules.root = place.root
      return place
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined
      throw error
    }
  }

  async end(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    await (await opening)?.end()
  }
}
