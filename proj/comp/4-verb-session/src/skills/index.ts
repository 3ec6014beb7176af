export { findSkills } from './find-skills.js'
export { newSkill } from './new-skill.js'
export type { Skill, Skills } from './skill.js'
export { skillFile, skillFiles, skillText } from './view-skill.js'
