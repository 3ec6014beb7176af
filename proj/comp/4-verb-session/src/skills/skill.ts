/** A skill: a folder with `SKILL.md`. */
export interface Skill {
  name: string
  /** Name of the folder it stands in; `general` for one directly in a folder of skills. */
  category: string
  /** One line, without control characters. */
  description: string
  tags: readonly string[]
  /** Names of others that go with it. */
  related: readonly string[]
  version: string | undefined
  /** Whose it is: of two with one name the project's counts. */
  source: 'project' | 'user'
  /** Canonical. */
  directory: string
}

/** Why a folder is no skill, or is not used. */
export interface SkillProblem {
  /** The file or folder. */
  path: string
  message: string
}

export interface Skills {
  /** By name. */
  skills: readonly Skill[]
  problems: readonly SkillProblem[]
}

export const GENERAL = 'general'
export const SKILL_FILE = 'SKILL.md'
/** Largest file of a skill that is read, in bytes. */
export const MAX_SKILL_BYTES = 256 * 1024
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
