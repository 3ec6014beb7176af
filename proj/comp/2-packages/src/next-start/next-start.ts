import { dirname, join, relative } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { writeWhole } from '../../../2-files/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'
import { type Entry, entryAt, isGoneWithTarget, isSameEntry, putEntryBack } from './entry.js'
import { type BinFields, binFields, hermesCommandOf, withBinFields } from './manifest-bin.js'
import { opensSection, settingsOf, withPrograms } from './npm-settings.js'
import { Workspaces } from './workspaces.js'

/** Commands that `npx hermes` may start, by their names in `node_modules/.bin`. */
const COMMANDS = ['hermes', 'node', 'sh', 'npm', 'npx']
const SUFFIXES = process.platform === 'win32' ? ['', '.cmd', '.ps1', '.exe'] : ['']
const ABSENT: Entry = { kind: 'absent' }
const HINT = 'By it the next "npx hermes" would run something else. Do it yourself if you mean it, or install hermes '
  + 'outside of the root (npm install -g).'

interface Manifest {
  entry: Entry
  command: string | undefined
  fields: BinFields
}

interface Seen {
  directory: string
  /** In the order of restoration: paths that lead to others come first. */
  entries: (readonly [path: string, entry: Entry])[]
  /** Lines of `.npmrc` that decide which programs start or where they are fetched from. */
  settings: { entry: Entry; lines: string[] }
  manifest: Manifest
}

/**
 * Guards what decides which program the next `npx hermes` starts, in directories (and their workspaces) that a run may
 * write: commands of a project's packages, npm settings, and `bin` in the manifest. These cannot be read-only, as `npm
 * install` has to work, so they are compared when the run has ended.
 */
export class NextStart {
  readonly #seen: readonly Seen[]
  readonly #workspaces: Workspaces

  /** @param directories from which hermes may be started, inside the root and `--allow`; absolute, links resolved */
  constructor(private readonly root: string, directories: readonly string[]) {
    this.#workspaces = new Workspaces(directories)
    this.#seen = [...new Set([...directories, ...this.#workspaces.places()])].map(look)
  }

  /**
   * Restores what has changed.
   *
   * @returns messages for the user; `[]` where nothing was changed
   */
  async putBack(): Promise<string[]> {
    const [changed, failed]: [string[], string[]] = [[], []]
    for (const seen of [...this.#seen, ...this.#madeSince()]) {
      for (const [what, restore] of differences(seen)) {
        const name = this.#shown(what)
        try {
          await restore()
          changed.push(name)
        } catch (error) {
          if (!isNodeError(error)) throw error
          failed.push(`${name} (${error.code})`)
        }
      }
    }
    return [
      ...(changed.length > 0 ? [`POLICY_DENIED: The run changed ${changed.join(', ')}: put back. ${HINT}`] : []),
      ...(failed.length > 0 ? [`POLICY_DENIED: The run changed ${failed.join(', ')}, which could not be put back. `
        + 'Look at it before you call "npx hermes" again.'] : []),
    ]
  }

  /** Workspaces that the run created. */
  #madeSince(): Seen[] {
    const known = new Set(this.#seen.map(({ directory }) => directory))
    return this.#workspaces.places().filter(place => !known.has(place)).map(place => ({
      directory: place,
      entries: entriesOf(place).map(path => [path, ABSENT] as const),
      settings: { entry: ABSENT, lines: [] },
      manifest: { entry: ABSENT, command: undefined, fields: {} },
    }))
  }

  #shown(path: string): string {
    return isInside(this.root, path) ? relative(this.root, path) : path
  }
}

function entriesOf(directory: string): string[] {
  const modules = join(directory, 'node_modules')
  const bin = join(modules, '.bin')
  const commands = COMMANDS.flatMap(name => SUFFIXES.map(suffix => join(bin, name + suffix)))
  return [modules, join(modules, 'hermes'), bin, ...commands]
}

function look(directory: string): Seen {
  const npmrc = join(directory, '.npmrc')
  return {
    directory,
    entries: entriesOf(directory).map(path => [path, entryAt(path)] as const),
    settings: { entry: entryAt(npmrc), lines: settingsOf(textAt(npmrc)).programs },
    manifest: manifestAt(join(directory, 'package.json')),
  }
}

/** Yields each difference with a function that restores it; later ones are examined after earlier ones are restored. */
function* differences(seen: Seen): Generator<readonly [path: string, restore: () => void | Promise<void>]> {
  for (const [path, was] of seen.entries) {
    const now = entryAt(path)
    if (isLeading(path) ? leadsElsewhere(was, now) : !isSameEntry(was, now) && !isGoneWithTarget(path, was, now)) {
      yield [path, () => putEntryBack(path, was)]
    }
  }
  const npmrc = join(seen.directory, '.npmrc')
  const { programs } = settingsOf(textAt(npmrc))
  if (programs.join('\n') !== seen.settings.lines.join('\n')) {
    yield [`${npmrc} (${namesIn(programs, seen.settings.lines)})`, () => putSettingsBack(npmrc, seen.settings)]
  }
  const file = join(seen.directory, 'package.json')
  // A manifest that is gone names no command, and the user may have wanted that.
  if (hermesCommandOf(textAt(file)) !== seen.manifest.command && entryAt(file).kind !== 'absent') {
    yield [`${file} (bin)`, async () => putCommandBack(file, seen.manifest)]
  }
}

/** Directories on the way, which `npm install` creates; and that of hermes, where a package manager links it. */
function isLeading(path: string): boolean {
  return /[\\/]node_modules(?:[\\/](?:\.bin|hermes))?$/.test(path)
}

/** Whether a link is new or changed; a directory by itself proves nothing. */
function leadsElsewhere(was: Entry, now: Entry): boolean {
  return now.kind === 'link' ? !isSameEntry(was, now) : was.kind === 'link' && now.kind !== 'absent'
}

function putSettingsBack(file: string, { entry: was, lines }: Seen['settings']): void {
  const now = entryAt(file)
  const before = was.kind === 'file' ? was.content.toString('utf8') : ''
  const { others } = settingsOf(textAt(file))
  const known = new Set(['', ...settingsOf(before).others])
  // Restores the whole file where nothing else was added, the order of its lines matters, or it is now a link, through
  // which a file outside the root would be written.
  const isWhole = was.kind !== 'link' && (others.every(line => known.has(line)) || lines.some(opensSection))
  if (isWhole || (now.kind === 'link' && !isSameEntry(was, now))) putEntryBack(file, was)
  else writeWhole(file, withPrograms(textAt(file), lines))
}

async function putCommandBack(file: string, { entry: was, fields }: Manifest): Promise<void> {
  const now = entryAt(file)
  if (now.kind === 'link' && !isSameEntry(was, now)) putEntryBack(file, was)
  else writeWhole(file, await withBinFields(textAt(file), fields))
}

/** Names of the settings that were added, removed or changed. */
function namesIn(now: readonly string[], before: readonly string[]): string {
  const lines = [...now.filter(line => !before.includes(line)), ...before.filter(line => !now.includes(line))]
  return [...new Set(lines.map(line => line.split('=')[0]?.trim() ?? ''))].join(', ')
}

function manifestAt(file: string): Manifest {
  const text = textAt(file)
  return { entry: entryAt(file), command: hermesCommandOf(text), fields: binFields(text) }
}

/** The text at a path, through a link too, as npm reads it. */
function textAt(path: string): string {
  const first = entryAt(path)
  const target = first.kind === 'link' ? first.target : ''
  const entry = target === '' ? first : entryAt(target.startsWith('/') ? target : join(dirname(path), target))
  return entry.kind === 'file' ? entry.content.toString('utf8') : ''
}
