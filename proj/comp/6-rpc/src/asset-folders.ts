import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { usageError } from '../../0-text/src/index.js'
import {
  HermesError, type HermesOptions, isNodeError, orNothing, type PathGate,
} from '../../0-contracts/src/index.js'
import type { Hermes } from '../../5-executor/src/index.js'
import { approveIfAllowed, isInside, readRegular } from '../../2-files/src/index.js'
import type { SessionSettings } from './narrow-settings.js'
import type { InitializeParams } from './params.js'

export type AssetFolders = NonNullable<InitializeParams['assetFolders']>
export type AssetKind = 'skills' | 'prompts'

const MOST_ASSETS = 10_000
const MOST_BYTES = 10 * 1024 * 1024

/** A client's folders, under the same rules as verbs that read and write. */
export class SessionAssets {
  /** Those that the client named; absolute, links resolved. */
  readonly folders: AssetFolders = {}

  private constructor(
    private readonly hermes: Hermes, private readonly settings: SessionSettings, private readonly isBounded: boolean,
  ) {}

  /**
   * Opens the folders; creates `recordings` if it does not exist.
   *
   * @param isBounded whether the folders must lie in the session's directories
   * @throws HermesError `INVALID_OPTION`; `POLICY_DENIED`, `INVALID_POLICY`
   */
  static async open(
    folders: AssetFolders, hermes: Hermes, settings: SessionSettings, isBounded: boolean,
  ): Promise<SessionAssets> {
    const assets = new SessionAssets(hermes, settings, isBounded)
    for (const kind of ['skills', 'prompts', 'recordings'] as const) {
      const written = folders[kind]
      if (written === undefined) continue
      assets.folders[kind] = await assets.#open(kind, resolve(settings.root, written))
    }
    return assets
  }

  /** Files below a folder that may be listed, by relative path with slashes; links are not followed. */
  async list(kind: AssetKind): Promise<{ name: string; bytes: number }[]> {
    const folder = this.#folder(kind)
    const files = listFiles(folder, await this.#gate(folder))
    return files.map((path) => ({ name: relative(folder, path).split(sep).join('/'), bytes: statSync(path).size }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /**
   * @param approve asks the client, where the policy asks before reading
   * @throws HermesError `ENOENT`, `FILE_TOO_LARGE`, `NOT_TEXT`; `POLICY_DENIED` for files outside of the folder, with
   * links followed, and for those that verbs may not read
   */
  async read(kind: AssetKind, name: string, approve: HermesOptions['approve']): Promise<string> {
    const folder = this.#folder(kind)
    const gate = await this.#gate(folder)
    const { value, by = '' } = (await this.hermes.policy()).verbs.read
    try {
      const path = gate.approve(resolve(folder, name), 'read')
      if (!isInside(folder, path)) throw new HermesError('POLICY_DENIED', `${name} is not in the folder of ${kind}`)
      if (value === 'ask') {
        const reason = `${by} asks before every verb that is read (${name})`
        const answer = await approve?.({
          action: 'assets/read', reason, kind: 'policy', reasons: [{ kind: 'policy', text: reason }], paths: [path],
        })
        if (answer !== 'once' && answer !== 'session') {
          throw new HermesError('APPROVAL_DENIED', `assets/read needs an approval: ${reason}`)
        }
      }
      return Buffer.from(readRegular(path, MOST_BYTES)).toString('utf8')
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `${kind} ${name} cannot be read (${error.code})`, {
        hint: 'assets/list names those there are.', cause: error,
      })
    }
  }

  /** @throws HermesError `POLICY_DENIED` where the folder of recordings leads elsewhere by now */
  async requireRecordings(file: string): Promise<void> {
    const gate = await this.#gate(dirname(file))
    if (gate.approve(file, 'write') === file) return
    throw new HermesError('POLICY_DENIED', `assetFolders.recordings: ${file} leads elsewhere`)
  }

  async #open(kind: keyof AssetFolders, directory: string): Promise<string> {
    const access = kind === 'recordings' ? 'write' : 'list'
    await this.#requireVerbs(kind)
    const gate = await this.#gate(directory)
    try {
      const real = gate.approve(directory, access)
      // A command of another run may have put a link there since the first check.
      if (access === 'write') mkdirSync(real, { recursive: true })
      if (statSync(real).isDirectory() && realpathSync.native(real) === real) return real
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
    throw usageError(`assetFolders.${kind}: ${directory} is no directory`, 'Name a directory that exists.')
  }

  /** Checks that the model may read or record: a client may not where every verb for it is switched off. */
  async #requireVerbs(kind: keyof AssetFolders): Promise<void> {
    const type = kind === 'recordings' ? 'write' : 'read'
    const { value, by = '' } = (await this.hermes.policy()).verbs[type]
    const verbs = await this.hermes.verbs()
    const isAsked = kind === 'recordings' && value === 'ask'
    if (verbs.some((verb) => verb.type === type) && !isAsked) return
    throw new HermesError('POLICY_DENIED', `assetFolders.${kind}: no verb of this session may ${type}`, {
      hint: value === 'on' ? 'The toolsets have none: leave the folder out.'
        : `${by} says ${type}: ${value}; leave the folder out.`,
    })
  }

  #gate(folder: string): Promise<PathGate> {
    const { root, allow } = this.settings
    const parent = existing(folder)
    const isWithin = [root, ...allow].some((base) => isInside(existing(base), parent))
    return this.hermes.gate(this.isBounded || isWithin ? [] : [parent])
  }

  #folder(kind: AssetKind): string {
    const folder = this.folders[kind]
    if (folder !== undefined) return folder
    throw usageError(`No folder of ${kind} was named`, `Give assetFolders.${kind} `
      + 'with initialize.')
  }
}

function listFiles(folder: string, gate: PathGate): string[] {
  const files: string[] = []
  const open = [folder]
  for (let here = open.pop(); here !== undefined && files.length < MOST_ASSETS; here = open.pop()) {
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const path = join(here, entry.name)
      if (!(entry.isFile() || entry.isDirectory()) || !approveIfAllowed(gate, path, 'list')) continue
      if (entry.isDirectory()) open.push(path)
      else files.push(path)
    }
  }
  return files.slice(0, MOST_ASSETS)
}

/** The directory, or the nearest existing one above it, with links resolved. */
function existing(directory: string): string {
  const real = orNothing(() => realpathSync.native(directory), undefined)
  const parent = dirname(directory)
  return real ?? (parent === directory ? directory : existing(parent))
}
