import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitPlace } from '../../../0-contracts/src/index.js'
import type { Filter, FilterUse } from '../../../2-git/src/index.js'
import type { HookConsent } from './git-hooks.js'
import { confinedLine, quoted, writeScript } from './git-wrappers.js'

export interface FilterPlace extends CommitPlace {
  /** A directory in which no command can write. */
  scratch: string
}

/** How git is run so that filters are held. */
export interface HeldForFilters {
  use: FilterUse
  /** To be called when git has ended. */
  release: () => void
}

/**
 * Content filters that the repository's configuration names are programs that anybody may have put there, and those of
 * the user may take code from the work tree: git is given programs in their place that start each in the sandbox.
 *
 * @returns `own` where commands run without a sandbox anyway
 * @throws HermesError `APPROVAL_DENIED`, `NOT_INSTALLED` as `CommandSandbox.admit`
 */
export async function holdFilters(
  place: FilterPlace, { sandbox, approve, network, isUnattended = false }: HookConsent, filters: readonly Filter[],
): Promise<HeldForFilters> {
  const { local } = sandbox
  const commands = filters.flatMap(({ driver, clean, process }) => `${driver}: ${process ?? clean ?? ''}`)
  const ask: typeof approve = isUnattended ? async () => 'denied' : approve
  const name = await local.admit('git', `filters of git: ${commands.join(', ')}`, ask)
  if (name === 'none') return { use: 'own', release: () => undefined }
  const directory = join(place.scratch, randomUUID())
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const program = await local.confine({
    verb: 'git', file: '/usr/bin/env', args: [], cwd: place.top, network, commit: place, readable: [],
  })
  const line = confinedLine(program, directory)
  let count = 0
  /** Git runs it by a shell, with the path in the place of `%f`. */
  const held = (command: string): string => {
    const script = join(directory, `filter-${count++}`)
    const inner = command.replace(/%%|%f/g, written => (written === '%%' ? '%' : '"$1"'))
    writeScript(script, `exec ${line(`/bin/sh -c ${quoted(inner)} sh "$1"`)}`)
    return `${quoted(script).replaceAll('%', '%%')} %f`
  }
  return {
    use: ({ driver, clean, smudge, process, isRequired }) => [
      ...(clean === undefined ? [] : [[`${driver}.clean`, held(clean)] as const]),
      ...(smudge === undefined ? [] : [[`${driver}.smudge`, held(smudge)] as const]),
      ...(process === undefined ? [] : [[`${driver}.process`, held(process).replace(/ %f$/, '')] as const]),
      // What a filter should have hidden is not committed where it fails in the sandbox.
      [`${driver}.required`, String(isRequired || (clean ?? process) !== undefined)],
    ],
    release() {
      program.release?.()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
