import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import { stateDirectory, isInside } from '../../2-files/src/index.js'
import { findProgram } from '../../2-processes/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { credentialsShown, hermesShown } from './credentials.js'
import { explainedBy } from './explain.js'
import { goneAtExit, homeOf, realPath } from './home.js'
import { pathPrefixes } from './path-prefixes.js'
import { keptPaths, PROGRAM_NAMES } from './kept-paths.js'
import type { NestedControl } from './nested-control.js'
import { limited } from './resource-limits.js'
import { seatbeltProfile } from './seatbelt-profile.js'

const PROGRAM = '/usr/bin/sandbox-exec'

/** macOS: seatbelt. It has no process namespace, so that processes are ended as without a sandbox. */
export class SeatbeltBackend implements Backend {
  readonly name = 'seatbelt'
  readonly isIsolated = false
  /** Home and temporary directory of the commands. */
  #scratch: string | undefined

  constructor(private readonly place: SandboxPlace) {}

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'darwin') return 'seatbelt is for macOS only'
    return existsSync(PROGRAM) ? undefined : `${PROGRAM} is missing`
  }

  confine(
    { file, args, cwd, env: extra = {}, readable = [], network = false, commit, isOfUser = false,
      changesNothing = false }: ProgramCall, nested: NestedControl,
  ): ConfinedProgram {
    const { root, allow, resources } = this.place
    const readOnly = [...this.place.readOnly, ...nested.kept]
    const env = this.place.env(network)
    const { PATH: path = '' } = env
    const program = findProgram(file, path)
    if (!changesNothing) stateDirectory(root)
    const scratch = this.#scratch ??= goneAtExit('hermes-home-')
    const writable = [root, ...allow]
    const home = homeOf(env)
    const ofUser = isOfUser ? [program, ...args.filter((arg) => isAbsolute(arg))] : []
    const prefixes = pathPrefixes(path, home, writable, [process.execPath, ...ofUser])
    const shown = [
      ...prefixes, ...readable, ...commit === undefined ? [] : [commit.top], ...changesNothing ? writable : [],
    ]
    const repositories = commit?.repositories ?? []
    const ofHermes = hermesShown(place => [...writable, ...shown].some(mount => isInside(mount, place)))
    const asked = [...writable, ...shown.filter(shownPath => !prefixes.includes(shownPath))]
    const profile = seatbeltProfile({
      writable: [...changesNothing ? [] : writable, ...repositories, scratch], network,
      readable: shown,
      hidden: [...credentialsShown(realPath(home) ?? home, prefixes, asked), ...ofHermes?.secrets ?? []],
      // Also those that are not there yet: nothing can be made under a denied name.
      protected: [
        ...writable.flatMap(directory => keptPaths(directory, readOnly)),
        ...repositories.flatMap(directory => PROGRAM_NAMES.map(name => join(directory, name))),
        ...commit?.kept ?? [],
        ...ofHermes === undefined ? [] : [ofHermes.home],
      ].filter(kept => !repositories.includes(kept)),
    })
    // Set inside: they are the model's.
    const assignments = Object.entries(extra).map(([name, value]) => `${name}=${value}`)
    const command = limited(resources, '/usr/bin/env', [...assignments, program, ...args])
    return {
      sandbox: this.name, file: PROGRAM, args: ['-p', profile, ...command], cwd,
      env: { ...env, HOME: scratch, TMPDIR: scratch }, isVerbatim: false, limits: undefined,
      explain: output => explainedBy(output, {
        network, canOpenGit: () => false, isHidden: named => (
          [home, '/Users', '/private/var', '/Volumes'].some(place => isInside(place, named))
          && ![...writable, ...shown, scratch].some(place => isInside(place, named))
        ),
      }),
    }
  }
}
