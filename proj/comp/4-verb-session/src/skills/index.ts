export { findSkills, skillFolders, type SkillFolder, type SkillPlaces } from './find-skills.js'
export { newSkill } from './new-skill.js'
export type { Skill, SkillProblem, Skills } from './skill.js'
export { skillFile, skillFiles, skillText } from './view-skill.js'
