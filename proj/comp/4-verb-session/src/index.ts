export { itemSize } from './context/index.js'
export { operatingSystem } from './sys/operating-system.js'
export { sessionSkills } from './skill-verbs/session-skills.js'
export { findSkills, newSkill, skillFile, skillFiles, skillText, type Skill, type Skills } from './skills/index.js'
