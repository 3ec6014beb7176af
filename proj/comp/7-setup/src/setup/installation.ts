import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orNothing } from '../../../0-contracts/src/index.js'
import { quoted } from '../quoted.js'
import { givenToNpx, installedPackage, packageManager, type InstalledPackage, type PackageManager }
  from './installed-by.js'

/** A program to run for an update. */
export interface Step {
  program: string
  args: readonly string[]
  cwd: string
}

/**
 * How hermes was installed on this machine, which determines how to update and remove it. In npm's public registry
 * `hermes` is another package, so no command asks for that name: only for this one's source.
 */
export interface Installation {
  kind: 'clone' | 'npx' | 'global' | 'local' | 'other'
  /** Directory of the package; absolute, links resolved. */
  directory: string
  /** Description for people. */
  words: string
  /** Its source, if recorded. */
  source?: string | undefined
  /** Commands for a person to type, in order. */
  update: string[]
  /** The same as programs, where hermes can run them itself. */
  steps: readonly Step[]
  /** Why it cannot: a sentence. */
  manual?: string | undefined
  /** Commands for a person to type, in order. */
  remove: string[]
  /** Places removed along with it. */
  goes: string[]
}

/**
 * @param directory of hermes' package.json
 * @param called path by which the program was started, possibly a link
 */
export function installationAt(directory: string, called?: string): Installation {
  const place = orNothing(() => realpathSync(directory), directory)
  if (existsSync(join(place, '.git'))) return clone(place, called)
  const known = installedPackage(place)
  if (!known) {
    return {
      kind: 'other', directory: place, words: 'a copied directory', steps: [],
      update: [`put the new version in the place of ${place}`], manual: 'Nothing tells where it came from.',
      remove: [`rm -r ${quoted(place)}`], goes: [place],
    }
  }
  if (place.split(sep).includes('_npx')) return ofNpx(place, known)
  const manager = packageManager(place, known.holder)
  const isGlobal = manager === 'npm' ? !existsSync(join(known.holder, 'package.json'))
    : known.holder.split(sep).includes('global')
  return isGlobal ? global(place, known, manager) : local(place, known, manager)
}

/** The installation of the running program. @param called path by which it was started */
export function ownInstallation(packageFile: URL, called: string | undefined): Installation {
  return installationAt(dirname(fileURLToPath(packageFile)), called)
}

/** A command as a person types it. */
export function typed({ program, args }: Pick<Step, 'program' | 'args'>): string {
  return [program, ...args].map(quoted).join(' ')
}

function clone(place: string, called: string | undefined): Installation {
  const steps = [
    { program: 'git', args: ['pull', '--ff-only'], cwd: place }, { program: 'npm', args: ['ci'], cwd: place },
  ]
  const link = linkedPackage(place, called)
  return {
    kind: 'clone', directory: place, words: 'a git clone', steps,
    update: [`cd ${quoted(place)}`, ...steps.map(typed)],
    remove: [
      ...(link === undefined ? [] : [typed({ program: 'npm', args: uninstalled(link) })]), `rm -r ${quoted(place)}`,
    ],
    goes: [...(link === undefined ? [] : [link]), place],
  }
}

function ofNpx(place: string, { holder }: InstalledPackage): Installation {
  const given = givenToNpx(holder)
  const source = isOwnSource(given) ? given : undefined
  return {
    kind: 'npx', directory: place, words: 'a copy in the cache of npx', steps: [], source,
    update: [
      `rm -r ${quoted(holder)}`, source === undefined ? 'npx …  # as you called it before: it fetches it again'
        : `${typed({ program: 'npx', args: ['--package', source, 'hermes'] })}  # fetches it again`,
    ],
    manual: 'npx fetches it anew once its cache is gone, which this program runs from.',
    remove: [`rm -r ${quoted(holder)}`], goes: [holder],
  }
}

function global(place: string, installed: InstalledPackage, manager: PackageManager): Installation {
  const { name, spec } = installed
  const source = isOwnSource(spec) ? spec : undefined
  const wanted = source === undefined ? 'TARBALL-OR-GIT-URL' : quoted(source)
  const prefix = prefixOf(installed.holder)
  const commands: Readonly<Record<PackageManager, readonly [add: string, remove: string]>> = {
    npm: [`npm install --global --prefix ${quoted(prefix)}`, typed({ program: 'npm', args: uninstalled(place) })],
    pnpm: ['pnpm add --global', `pnpm remove --global ${quoted(name)}`],
    yarn: ['yarn global add', `yarn global remove ${quoted(name)}`],
    bun: ['bun add --global', `bun remove --global ${quoted(name)}`],
  }
  const [add, remove] = commands[manager]
  return {
    kind: 'global', directory: place, words: `a global package of ${manager}`, source, steps: [],
    update: [`${add} ${wanted}`],
    manual: source === undefined ? `Where a global package of ${manager} came from is not recorded: give the tarball `
      + 'or the address of the repository again.' : `Global packages of ${manager} are left to you.`,
    remove: [remove], goes: [place],
  }
}

function local(place: string, installed: InstalledPackage, manager: PackageManager): Installation {
  const { name, holder, spec } = installed
  const cd = `cd ${quoted(holder)}`
  const recorded = spec ?? installed.resolved
  const source = isOwnSource(recorded) ? recorded : undefined
  const add = manager === 'npm' ? 'install' : 'add'
  const about = {
    kind: 'local' as const, directory: place, words: `a dependency of ${holder}`, source,
    remove: [cd, `${manager} ${manager === 'npm' ? 'uninstall' : 'remove'} ${quoted(name)}`], goes: [place],
  }
  if (spec === undefined) {
    const whose = `${join(holder, 'package.json')} does not name it`
    return {
      ...about, steps: [], update: [cd, '# update the package that brought it'],
      manual: `${whose}: it came with another package.`, remove: [cd, '# remove the package that brought it'],
    }
  }
  if (source === undefined) {
    return {
      ...about, steps: [], update: [cd, `${manager} ${add} TARBALL-OR-GIT-URL`],
      manual: `${join(holder, 'package.json')} says ${spec}, which is not where this hermes can be had.`,
    }
  }
  const wanted = name === 'hermes' ? source : `${name}@${source}`
  const step = { program: manager, args: [add, wanted], cwd: holder }
  const manual = whySame(source, installed)
  return {
    ...about, update: [cd, manual === undefined ? typed(step) : `${manager} ${add} NEW-TARBALL-OR-GIT-URL`],
    steps: manual === undefined ? [step] : [], manual,
  }
}

const SCHEMES = /^(?:file|link|portal|git|git\+\w+|ssh|https?|github|gitlab|bitbucket|gist):|^git@/i
const PATH = /^\.{0,2}[/\\]|^[a-z]:[/\\]/i
const OWNER_AND_REPOSITORY = /^[\w.-]+\/[\w.-]+(?:#.*)?$/

/**
 * Whether a specifier names a tarball, directory or repository; otherwise it is a version of whatever the registry has
 * under that name.
 */
function isOwnSource(spec: string | undefined): spec is string {
  if (spec === undefined || isOfRegistry(spec)) return false
  return [SCHEMES, PATH, OWNER_AND_REPOSITORY, /\.(?:tgz|tar\.gz)$/].some((form) => form.test(spec))
}

/** Whether it has the form of a registry's tarball address. */
function isOfRegistry(spec: string): boolean {
  return /^https?:\/\/[^?#]+\/-\/[^/?#]+\.tgz(?:[?#]|$)/.test(spec)
}

/** Why reinstalling from the same source would change nothing. */
function whySame(source: string, { holder, integrity }: InstalledPackage): string | undefined {
  if (/#[0-9a-f]{40}$/.test(source)) return 'It is pinned to one commit: install another one.'
  if (/^(?:https?:).*\.(?:tgz|tar\.gz)$/.test(source)) return 'It came from one tarball: install a newer one.'
  if (!/\.(?:tgz|tar\.gz)$/.test(source)) return undefined
  const path = resolve(holder, source.replace(/^file:(?:\/\/)?/, ''))
  const bytes = orNothing(() => readFileSync(path), undefined)
  if (bytes === undefined) return `The tarball it came from is gone: ${path}`
  return integrity !== `sha512-${createHash('sha512').update(bytes).digest('base64')}` ? undefined
    : `The tarball it came from is still the same: ${path}`
}

/** The directory in the `node_modules` of a prefix that is a link to this package, if hermes was started through it. */
function linkedPackage(place: string, called: string | undefined): string | undefined {
  const target = called === undefined ? undefined : orNothing(() => readlinkSync(called), undefined)
  if (called === undefined || target === undefined) return undefined
  const directory = dirname(dirname(resolve(dirname(called), target)))
  const isLink = directory !== place && basename(dirname(directory)) === 'node_modules'
  return isLink && orNothing(() => realpathSync(directory), undefined) === place ? directory : undefined
}

/** Arguments to uninstall exactly the package in that `node_modules`. */
function uninstalled(directory: string): string[] {
  return ['uninstall', '--global', '--prefix', prefixOf(dirname(dirname(directory))), basename(directory)]
}

/** A global package is in `<prefix>/lib/node_modules`, on Windows in `<prefix>/node_modules`. */
function prefixOf(holder: string): string {
  return basename(holder) === 'lib' ? dirname(holder) : holder
}
