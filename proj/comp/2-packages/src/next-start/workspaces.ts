import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isRecord, orNothing } from '../../../0-contracts/src/index.js'
import { compilePattern, type PathPattern } from '../../../2-files/src/index.js'
import { between } from './places.js'
import { parsedManifest } from './manifest-command.js'

/** Most directories that are looked through for workspaces. */
const MOST_LOOKED_AT = 2000
/** An item of a list of YAML, in either form: of other lists than that of packages it finds some more. */
const ITEM = /(?:^\s*-\s+|[[,]\s*)(["']?)([^"'\s[\],#]+)\1/gm

/**
 * The packages that a project says are its own (`workspaces` of its manifest, `pnpm-workspace.yaml`): users call `npx`
 * in them too, and from there `node_modules/.bin` of each directory above is asked. What the project says is read once.
 */
export class Workspaces {
  readonly #projects: readonly { directory: string; patterns: readonly PathPattern[] }[]

  /** @param directories canonical ones that may be projects */
  constructor(directories: readonly string[]) {
    this.#projects = directories.map(directory => ({ directory, patterns: patternsOf(directory) }))
      .filter(({ patterns }) => patterns.length > 0)
  }

  /** Those that are there now, and the directories that lead to them. */
  places(): string[] {
    const found = this.#projects.flatMap(({ directory, patterns }) => (
      directoriesLike(directory, patterns).flatMap(workspace => between(directory, workspace))
    ))
    return [...new Set(found)]
  }
}

function patternsOf(directory: string): PathPattern[] {
  const { workspaces } = parsedManifest(contentOf(join(directory, 'package.json'))) ?? {}
  const named = isRecord(workspaces) ? workspaces['packages'] : workspaces
  const ofPnpm = [...contentOf(join(directory, 'pnpm-workspace.yaml')).matchAll(ITEM)].map(([, , item = '']) => item)
  const texts = [...Array.isArray(named) ? named.filter(one => typeof one === 'string') : [], ...ofPnpm]
  // One that is left out of the workspaces may be looked at all the same.
  return texts.filter(text => !text.startsWith('!')).flatMap(compiled)
}

/** Nothing for what is no pattern. */
function compiled(text: string): PathPattern[] {
  try {
    return [compilePattern('npx', 'workspaces', text.replace(/^(?:\.?\/)+|\/+$/g, ''), { dot: false })]
  } catch (error) {
    if (error instanceof HermesError) return []
    throw error
  }
}

function directoriesLike(base: string, patterns: readonly PathPattern[]): string[] {
  const found: string[] = []
  const waiting = ['']
  for (let looked = 0; waiting.length > 0 && looked < MOST_LOOKED_AT; looked++) {
    const below = waiting.shift() ?? ''
    for (const entry of orNothing((): Dirent[] => readdirSync(join(base, below), { withFileTypes: true }), [])) {
      if (!entry.isDirectory() || entry.name === 'node_modules') continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (patterns.some(pattern => pattern.matches(path))) found.push(join(base, path))
      if (patterns.some(pattern => pattern.mayMatchBelow(path))) waiting.push(path)
    }
  }
  return found
}

function contentOf(path: string): string {
  return orNothing(() => readFileSync(path, 'utf8'), '')
}
