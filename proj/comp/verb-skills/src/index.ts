export { skillView } from './skill-view.js'
export { skillsCategories } from './skills-categories.js'
export { skillsList } from './skills-list.js'
