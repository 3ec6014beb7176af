export { itemSize } from './context/index.js'
export { operatingSystem } from './sys/operating-system.js'
export { findSkills, newSkill, skillFile, skillFiles, skillText } from './skills/index.js'
export type { Skill, Skills } from './skills/index.js'
