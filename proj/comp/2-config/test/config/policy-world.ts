import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'

/** A home and a work tree with files in them. */
export interface PolicyWorld {
  home: string
  root: string
}

/**
 * @param files below a directory that holds `home` and `project`, by path; `project` is a git work tree
 */
export function policyWorld(files: Readonly<Record<string, string | undefined>>): PolicyWorld {
  const directory = tempDir()
  const [home, root] = [join(directory, 'home'), join(directory, 'project')]
  for (const path of [home, join(root, '.git')]) mkdirSync(path, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue
    outputFileSync(join(directory, name), text)
  }
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
  return { home, root }
}

export const USER = 'home/.hermes/config.yaml'
export const PROJECT = 'project/hermes.yaml'
