import { readdirSync, type Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { readInside } from './read-inside.js'
import { readFrontMatter } from './skill-front-matter.js'
import { SKILL_FILE, type Skill } from './skill.js'

const MAX_FILES = 200
const MAX_DEPTH = 4

/** The text after the front matter. @throws HermesError, Node's error */
export async function skillText({ directory }: Skill): Promise<string> {
  return (await readFrontMatter(readInside(directory, SKILL_FILE), SKILL_FILE)).body
}

/** The other files in the folder, with `/`, sorted: references, templates and the like. */
export function skillFiles({ directory }: Skill): string[] {
  const files: string[] = []
  const enter = (folder: string, depth: number): void => {
    const entries: Dirent[] = orNothing(() => readdirSync(folder, { withFileTypes: true }), [])
    for (const entry of entries.sort((candidate, other) => (candidate.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (files.length >= MAX_FILES || entry.name.startsWith('.')) continue
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) enter(path, depth + 1)
      } else if (path !== join(directory, SKILL_FILE)) files.push(relative(directory, path).split(sep).join('/'))
    }
  }
  enter(directory, 1)
  return files
}

/**
 * Reads one of these files.
 *
 * @throws HermesError `ENOENT`, and as `readInside`
 */
export function skillFile(skill: Skill, file: string): string {
  try {
    return readInside(skill.directory, file)
  } catch (error) {
    if (!isNodeError(error) || !['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
    const files = skillFiles(skill)
    const near = nearest(file, files)
    throw new HermesError('ENOENT', `The skill ${skill.name} has no file '${file}' (ENOENT)`, {
      hint: near !== undefined ? `Did you mean '${near}'?`
        : files.length === 0 ? 'It has none but SKILL.md.' : `Files: ${files.slice(0, 20).join(', ')}.`,
    })
  }
}
