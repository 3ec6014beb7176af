import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { isRecord, orNothing, unlessRefused } from '../../../0-contracts/src/index.js'
import { compilePattern, type PathPattern } from '../../../2-files/src/index.js'
import { between } from './places.js'
import { manifestIn } from './manifest-bin.js'

/** Most directories to search for workspaces. */
const MOST_LOOKED_AT = 2000
/** An item of a YAML list in either form; may match items of other lists too. */
const ITEM = /(?:^\s*-\s+|[[,]\s*)(["']?)([^"'\s[\],#]+)\1/gm

/**
 * The workspaces that a project declares (`workspaces` of its manifest, `pnpm-workspace.yaml`): users run `npx` in them
 * too, which searches `node_modules/.bin` of each parent directory. The declarations are read once.
 */
export class Workspaces {
  readonly #projects: readonly { directory: string; patterns: readonly PathPattern[] }[]

  /** @param directories that may be projects; absolute, links resolved */
  constructor(directories: readonly string[]) {
    this.#projects = directories.map(directory => ({ directory, patterns: patternsOf(directory) }))
      .filter(({ patterns }) => patterns.length > 0)
  }

  /** The present workspaces, and the directories that lead to them. */
  places(): string[] {
    const directories = this.#projects.flatMap(({ directory, patterns }) => (
      directoriesLike(directory, patterns).flatMap(workspace => between(directory, workspace))
    ))
    return [...new Set(directories)]
  }
}

function patternsOf(directory: string): PathPattern[] {
  const { workspaces } = manifestIn(contentOf(join(directory, 'package.json'))) ?? {}
  const named = isRecord(workspaces) ? workspaces['packages'] : workspaces
  const ofPnpm = [...contentOf(join(directory, 'pnpm-workspace.yaml')).matchAll(ITEM)].map(([, , item = '']) => item)
  const texts = [...Array.isArray(named) ? named.filter(pattern => typeof pattern === 'string') : [], ...ofPnpm]
  // Excluded workspaces are just treated like others.
  return texts.filter(text => !text.startsWith('!')).flatMap(compiled)
}

/** Empty for an invalid pattern. */
function compiled(text: string): PathPattern[] {
  return unlessRefused(
    () => [compilePattern('npx', 'workspaces', text.replace(/^(?:\.?\/)+|\/+$/g, ''), { dot: false })], [],
  )
}

function directoriesLike(base: string, patterns: readonly PathPattern[]): string[] {
  const directories: string[] = []
  const waiting = ['']
  for (let looked = 0; waiting.length > 0 && looked < MOST_LOOKED_AT; looked++) {
    const below = waiting.shift() ?? ''
    for (const entry of orNothing((): Dirent[] => readdirSync(join(base, below), { withFileTypes: true }), [])) {
      if (!entry.isDirectory() || entry.name === 'node_modules') continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (patterns.some(pattern => pattern.matches(path))) directories.push(join(base, path))
      if (patterns.some(pattern => pattern.mayMatchBelow(path))) waiting.push(path)
    }
  }
  return directories
}

function contentOf(path: string): string {
  return orNothing(() => readFileSync(path, 'utf8'), '')
}
