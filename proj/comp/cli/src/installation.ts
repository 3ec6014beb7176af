import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { orNothing } from '../../contracts/src/index.js'
import { shellWord } from '../../text/src/index.js'

/** How hermes came onto this machine: that decides how it is brought up to date, and removed. */
export interface Installation {
  kind: 'clone' | 'npx' | 'global' | 'local' | 'other'
  /** Of the package. */
  directory: string
  /** In words, for people. */
  words: string
  /** Commands, in order. */
  update: string[]
  remove: string[]
}

/** @param directory of hermes' package.json */
export function installationAt(directory: string): Installation {
  const place = orNothing(() => realpathSync(directory), directory)
  const cd = `cd ${quoted(place)}`
  if (existsSync(join(place, '.git'))) {
    return {
      kind: 'clone', directory: place, words: 'a git clone', update: [cd, 'git pull', 'npm ci', 'npm run build'],
      remove: [...(isLinked(directory) ? ['npm uninstall --global hermes'] : []), `rm -r ${quoted(place)}`],
    }
  }
  const modules = dirname(place)
  const holder = dirname(modules)
  if (basename(modules) !== 'node_modules') {
    return {
      kind: 'other', directory: place, words: 'a copied directory',
      update: [`put the new version in the place of ${place}`], remove: [`rm -r ${quoted(place)}`],
    }
  }
  if (place.split(sep).includes('_npx')) {
    return {
      kind: 'npx', directory: place, words: 'the cache of npx',
      update: [`rm -r ${quoted(holder)}`, 'npx hermes  # fetches it again, as you called it before'],
      remove: [`rm -r ${quoted(holder)}`],
    }
  }
  // A global one has no project around it: <prefix>/lib/node_modules, and on Windows <prefix>/node_modules.
  if (!existsSync(join(holder, 'package.json'))) {
    return {
      kind: 'global', directory: place, words: 'a global package of npm',
      update: ['npm install --global hermes@latest'], remove: ['npm uninstall --global hermes'],
    }
  }
  return {
    kind: 'local', directory: place, words: `a dependency of ${holder}`,
    update: [`cd ${quoted(holder)}`, 'npm install hermes@latest'],
    remove: [`cd ${quoted(holder)}`, 'npm uninstall hermes'],
  }
}

function isLinked(directory: string): boolean {
  return orNothing(() => lstatSync(directory).isSymbolicLink(), false)
}

function quoted(path: string): string {
  const word = shellWord(path)
  return process.platform === 'win32' && word !== path ? `"${path}"` : word
}
