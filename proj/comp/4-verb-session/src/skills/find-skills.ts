import { readdirSync, realpathSync, type Dirent } from 'node:fs'
import { basename, join } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-files/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { readInside } from './read-inside.js'
import { readFrontMatter } from './skill-front-matter.js'
import { GENERAL, NAME, SKILL_FILE, type Skill, type SkillProblem, type Skills } from './skill.js'

/** Most folders examined. */
const MAX_FOLDERS = 2000

export interface SkillPlaces {
  /** Root of the project, whose skills are in `.hermes/skills` and `skills`. `undefined`: only the user's. */
  root: string | undefined
  /** The user's settings directory, whose skills are in `skills`. */
  home: string
}

/** Folders searched for skills; of two skills with the same name the first one found counts. */
function skillFolders({ root, home }: SkillPlaces): { path: string; source: Skill['source'] }[] {
  return [
    ...(root === undefined ? [] : [join(root, '.hermes', 'skills'), join(root, 'skills')])
      .map((path) => ({ path, source: 'project' as const })),
    { path: join(home, 'skills'), source: 'user' },
  ]
}

/** Finds all skills, and the problems of folders that are not valid skills. */
export async function findSkills(places: SkillPlaces): Promise<Skills> {
  const skills = new Map<string, Skill>()
  const problems: SkillProblem[] = []
  const seen = new Set<string>()
  let left = MAX_FOLDERS
  for (const { path, source } of skillFolders(places)) {
    const base = orNothing(() => realpathSync.native(path), undefined)
    if (base === undefined || seen.has(base)) continue
    seen.add(base)
    for (const { directory, category } of candidates(base)) {
      if (left-- <= 0) {
        problems.push({ path: base, message: `more than ${MAX_FOLDERS} folders: the rest is not looked into` })
        break
      }
      const skill = await readSkill(directory, { base, category, source }, problems)
      const first = skill && skills.get(skill.name)
      if (first) problems.push({
        path: directory, message: `not used: ${first.directory} has the name ${first.name} too`,
      })
      else if (skill) skills.set(skill.name, skill)
    }
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems }
}

/** The skill in a folder, to check it by itself. @throws HermesError `INVALID_OPTION` and as `readInside` */
export async function skillAt(
  directory: string, { category, source }: Pick<Skill, 'category' | 'source'>,
): Promise<Skill> {
  const { front } = await readFrontMatter(readInside(directory, SKILL_FILE), join(directory, SKILL_FILE))
  const name = front.name ?? basename(directory)
  if (!NAME.test(name)) {
    throw new HermesError(
      'INVALID_OPTION', `${directory} has no name for a skill`,
      { hint: 'Write name: in its SKILL.md, of letters, digits, dots, _ and -.' },
    )
  }
  return { ...front, name, category, source, directory }
}

async function readSkill(
  directory: string, { base, category, source }: { base: string; category: string; source: Skill['source'] },
  problems: SkillProblem[],
): Promise<Skill | undefined> {
  try {
    const canonical = realpathSync.native(directory)
    // Links made by the user are trusted; those of a repository are not.
    if (source === 'project' && !isInside(base, canonical)) {
      problems.push({ path: directory, message: 'not used: it leads out of the project\'s skills' })
      return undefined
    }
    return await skillAt(canonical, { category, source })
  } catch (error) {
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
    problems.push({ path: directory, message: clip(error.message.split('\n')[0] ?? '', 300) })
    return undefined
  }
}

/** Folders with a `SKILL.md`, directly in the base or one level below. */
function* candidates(base: string): Generator<{ directory: string; category: string }> {
  for (const directory of foldersIn(base)) {
    if (hasSkill(directory)) yield { directory, category: GENERAL }
    else {
      const category = basename(directory)
      for (const inner of foldersIn(directory)) {
        if (NAME.test(category) && hasSkill(inner)) yield { directory: inner, category }
      }
    }
  }
}

function foldersIn(directory: string): string[] {
  const entries: Dirent[] = orNothing(() => readdirSync(directory, { withFileTypes: true }), [])
  return entries.filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => join(directory, name)).sort()
}

function hasSkill(directory: string): boolean {
  return orNothing(() => readdirSync(directory).includes(SKILL_FILE), false)
}
