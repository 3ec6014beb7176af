/** Ways in which hermes is installed, made by hand from what was built: as package managers would lay it out. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const clone = fileURLToPath(new URL('../../..', import.meta.url))
const PLATFORM = `${process.platform}-${process.arch}`
/** What hermes finds beside it, and what brings each. */
const BESIDE = {
  '@vscode/ripgrep': `@vscode/ripgrep-${PLATFORM}`, '@lydell/node-pty': `@lydell/node-pty-${PLATFORM}`,
}

export const LAYOUTS = ['project', 'workspace', 'pnpm', 'tools', 'global']

/**
 * @param {string} layout of `LAYOUTS`
 * @param {string} directory empty
 * @returns the project, in which hermes is installed but for `global`; where it works; hermes' package, its command as
 *   a user starts it, and the directories whose `node_modules` Node would search from there
 */
export function layOut(layout, directory) {
  const project = join(directory, 'project')
  const cwd = layout === 'workspace' ? join(project, 'packages', 'a') : project
  mkdirSync(cwd, { recursive: true })
  const workspaces = layout === 'workspace' ? { workspaces: ['packages/*'] } : {}
  writeManifest(project, { name: 'project', private: true, ...workspaces })
  if (cwd !== project) writeManifest(cwd, { name: 'a', private: true })
  const { place, modules } = { pnpm, tools, global: globally }[layout]?.(project, directory) ?? flat(project)
  return { project, cwd, place, command: join(place, 'dist', 'cli.cjs'), modules }
}

function flat(holder) {
  const modules = join(holder, 'node_modules')
  const place = join(modules, 'hermes')
  copyHermes(place)
  for (const [name, binaries] of Object.entries(BESIDE)) for (const one of [name, binaries]) copyPackage(one, modules)
  linkCommand(modules, place)
  return { place, modules: [modules] }
}

/** Each package in a directory of the store, beside links to what it needs. */
function pnpm(project) {
  const modules = join(project, 'node_modules')
  const stored = (name) => join(modules, '.pnpm', `${name.replace('/', '+')}@1.0.0`, 'node_modules')
  const place = join(stored('hermes'), 'hermes')
  copyHermes(place)
  for (const [name, binaries] of Object.entries(BESIDE)) {
    copyPackage(name, stored(name))
    copyPackage(binaries, stored(binaries))
    link(join(stored(binaries), binaries), join(stored(name), binaries))
    link(join(stored(name), name), join(stored('hermes'), name))
  }
  link(place, join(modules, 'hermes'))
  linkCommand(modules, place)
  return { place, modules: [modules, stored('hermes'), ...Object.keys(BESIDE).map(stored)] }
}

/** Unpacked, with what it uses beside it. */
function tools(project) {
  const place = join(project, 'tools', 'hermes')
  copyHermes(place)
  const modules = join(place, 'node_modules')
  for (const [name, binaries] of Object.entries(BESIDE)) for (const one of [name, binaries]) copyPackage(one, modules)
  return { place, modules: [modules, join(project, 'tools', 'node_modules'), join(project, 'node_modules')] }
}

function globally(project, directory) {
  const { place } = flat(join(directory, 'prefix', 'lib'))
  return { place, modules: [join(project, 'node_modules')] }
}

function copyHermes(place) {
  const isPart = (path) => !/(?:\.cache|built-from)$/.test(path) && !path.includes(join('dist', 'types'))
  cpSync(join(clone, 'dist'), join(place, 'dist'), { recursive: true, filter: isPart })
  cpSync(join(clone, 'package.json'), join(place, 'package.json'))
}

function copyPackage(name, modules) {
  cpSync(join(clone, 'node_modules', name), join(modules, name), { recursive: true })
}

function linkCommand(modules, place) {
  link(join(place, 'dist', 'cli.cjs'), join(modules, '.bin', 'hermes'))
}

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), target), path)
}

function writeManifest(directory, manifest) {
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
}
